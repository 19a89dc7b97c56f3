import { withRequest } from '../../../contract/endpoint'
import { sampleThreads } from '../../../contract/thread-sample'
import { SampleThreads } from '../../../contract/thread-sample-requests'
import { type Route, route } from '../../http/route'
import type { Store } from '../../store/store'
import { flushSelection, type SelectionDerivers } from '../search/flush-selection'
import { readSample } from './read-sample'

type Deps = SelectionDerivers & { store: Store }

export function threadSampleRoutes({ store, ...derivers }: Deps): Route[] {
  return [
    route(withRequest(sampleThreads, SampleThreads), async (input, { reader }) => {
      const { turns, sample } = input
      const needs = {
        calls: turns === 'failed' || sample?.stratify_by === 'errors',
        spends: sample?.stratify_by === 'model',
      }
      await flushSelection(derivers, input, needs, reader)
      return await readSample(store, input, reader)
    }),
  ]
}

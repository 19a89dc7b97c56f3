import { streamTurns } from '../../contract/turns'
import type { TurnDeriver } from '../derive/turn-deriver'
import { type RequestReader, type Route, streamRoute } from '../http/route'
import type { Store } from '../store/store'
import { listTurns } from './list-turns'

type TurnRoutesDeps = {
  store: Store
  deriver: TurnDeriver
  /** Resolves when what all calls of the project spent is derived. */
  flushSpends: (projectId: string, reader: RequestReader) => Promise<void>
}

export function turnRoutes({ store, deriver, flushSpends }: TurnRoutesDeps): Route[] {
  return [
    streamRoute(streamTurns, async function* turns(input, { reader }) {
      await deriver.flush(input.project_id, reader)
      await flushSpends(input.project_id, reader)
      yield* listTurns(store, input, reader)
    }),
  ]
}

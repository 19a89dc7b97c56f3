import { queryCallTree } from '../../contract/call-tree'
import { type Route, streamRoute } from '../http/route'
import type { Store } from '../store/store'
import { listTree } from './list-tree'

export function callTreeRoutes(store: Store): Route[] {
  return [streamRoute(queryCallTree, (input, { reader }) => listTree(store, input, reader))]
}

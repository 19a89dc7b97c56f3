import { lazy } from 'react'
import type { Thread } from '../../contract/threads'
import type { PanelControls } from '../table/grid/use-row-navigation'
import type { SetView } from '../table/view/use-url-state'
import type { ThreadDisplay } from './thread-columns'
import type { ThreadView } from './thread-view'

const ThreadPanel = lazy(() => import('./ThreadPanel').then((module) => ({ default: module.ThreadPanel })))

export type ThreadPanelProps = {
  thread: Thread | undefined
  id: string
  controls: PanelControls
  /** The threads of the page, in the table's order. */
  rows: readonly Thread[]
  context: ThreadDisplay
  setView: SetView<ThreadView>
}

export function renderThreadPanel(props: ThreadPanelProps) {
  return <ThreadPanel {...props} />
}

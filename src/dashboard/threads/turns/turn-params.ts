import { enumParam, stringParam } from '../../table/view/url-params'

// Ids of other services have any length.
const idParam = { ...stringParam(8000), keepsPage: true }

/** What is open in the view of a thread: a turn, one of its calls, and the turn that it is compared with. */
export const turnParams = {
  turn: idParam,
  call: idParam,
  compare: idParam,
  /** Beside the turns where there is room, else in their place. */
  tab: { ...enumParam(['turns', 'figures'], 'turns'), keepsPage: true },
}

/** For the view of another thread, which has other turns. */
export const noTurn = { turn: '', call: '', compare: '' } as const

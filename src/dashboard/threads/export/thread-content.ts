import type { TreeCall } from '../../../contract/call-tree'
import type { ReceivedCall } from '../../../contract/received-call'
import type { PayloadField } from '../../payload/call-payload'
import type { ThreadTurn } from '../turns/thread-turn'

/** A call with its payloads, as JSON text in pieces. */
export type ExportedCall = {
  call: TreeCall
  level: number
  turnId: string
  /** Its position in the turn, from 1. */
  number: number
  /** A call below it has tokens of its own. */
  isAboveUsage: boolean
  /** Undefined where it could not be read: then only `call` is known. */
  record: ReceivedCall | undefined
  /** Null where the call has no such value, undefined where it could not be read. */
  payloads: Readonly<Record<PayloadField, readonly string[] | null | undefined>>
}

export type ThreadPart = { kind: 'turn'; turn: ThreadTurn; number: number } | { kind: 'call'; call: ExportedCall }

/** How much was read, and what could not be. */
export type ExportCounts = {
  turns: number
  calls: number
  /** Turns whose calls could not be listed, or not all of them. */
  unlistedTurns: number
  /** Calls of which only the heading is known. */
  unreadCalls: number
  /** Inputs, outputs and attributes of other calls. */
  unreadValues: number
}

export type ExportedThread = { threadId: string; projectId: string; exportedAt: string; turnCount: number }

/** Writes a thread as text of one format, part by part. */
export type ThreadWriter = {
  begin: (thread: ExportedThread) => string[]
  turn: (turn: ThreadTurn, number: number) => string[]
  call: (call: ExportedCall) => string[]
  end: (counts: ExportCounts) => string[]
}

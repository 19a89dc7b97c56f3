import type { BoundParams, EngineInsert } from './engine-session'

/** Where the engine runs: the store's folder and the engine's configuration file. */
export type EngineFiles = { storeFolder: string; configPath: string }

/** What a thread with the engine is asked for. `id` names the reply; `cancel` and `close` have none. */
export type EngineRequest =
  | { type: 'open'; id: number; session: number; files: EngineFiles }
  | { type: 'run'; id: number; session: number; statement: string; params: BoundParams }
  | { type: 'insert'; id: number; session: number; insert: EngineInsert }
  /** The reply has the first chunk, so that a short result takes one message each way. */
  | { type: 'stream'; id: number; session: number; statement: string; params: BoundParams }
  | { type: 'collect'; id: number; session: number; statement: string; params: BoundParams }
  | { type: 'next'; id: number; session: number }
  | { type: 'cancel'; session: number }
  | { type: 'close'; session: number }
  /** Replied to when nothing runs in the engine any more. The thread then ends. */
  | { type: 'end'; id: number }

export type EngineReply =
  | { id: number; chunk?: Uint8Array<ArrayBuffer> | undefined }
  | { id: number; error: { message: string; code?: string | undefined } }

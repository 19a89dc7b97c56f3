export type BystanderSettings = { url: string; authorization: string; projectId: string }
export type BystanderCommand = 'start' | 'stop'

/** Of all requests, in ms, and how many had another outcome than 200, by status or error code. */
export type Latencies = { ms: number[]; failures: Record<string, number> }
/** The reply to 'stop'. */
export type Measured = { read: Latencies; write: Latencies }

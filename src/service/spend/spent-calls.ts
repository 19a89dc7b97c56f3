import type { DetailedUsage } from '../usage/usage'

/** What calls spent on one model. */
export type SpentShare = {
  model: string
  /** The sum over the calls. */
  usage: DetailedUsage
  /** The prompt tokens of one of the calls. */
  inputTokens: number
}

/** Calls that spent something themselves and are alike: of the same groups, and at the same prices. Most often one call. */
export type SpentCalls = {
  callCount: number
  /** The start of one of the calls. */
  startedAt: string
  opName: string
  /** The provider that the calls name. */
  provider: string | null
  userId: string | null
  threadId: string | null
  /** One for each model, at least one. */
  shares: readonly SpentShare[]
}

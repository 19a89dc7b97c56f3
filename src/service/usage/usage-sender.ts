import { isJsonObject } from '../../contract/json-value'

/** How the program that sent a usage counts cached tokens, where the names of its counts do not say it. */
export type UsageSender = {
  /** Cached tokens are part of the prompt's, whatever the names of the counts. */
  isPromptWithCached: boolean
  /** The counts of cached tokens repeat those in `prompt_tokens_details` and its like. */
  repeatsDetails: boolean
}

/** Nothing is known of the sender: the names of the counts decide. */
export const unknownSender: UsageSender = { isPromptWithCached: false, repeatsDetails: false }

/** What a call says about the program that sent it. */
export type SenderInfo = {
  isSpan: boolean
  /** `attributes.weave.source` and `client_version`, as W&B Weave's SDKs send them. */
  source: string
  clientVersion: string
  /** `attributes.integration`, with which Weave for Python marks the calls that it makes for a library. */
  integration: string
  integrationVersion: string
  /** `summary.status_counts` of Weave for Python: the number of calls that the summary adds up, by their status. */
  statusCounts: unknown
}

/**
 * Since 0.53.2 Weave for Python adds the cached tokens of Anthropic to `input_tokens`, and keeps Anthropic's names for all
 * counts. https://github.com/wandb/weave/pull/7561
 */
const firstPythonWithCached = [0, 53, 2]
const integrationsWithCached: ReadonlySet<string> = new Set(['anthropic', 'claude_agent_sdk'])

export function toUsageSender(info: SenderInfo): UsageSender {
  // The mapper of spans knows their convention and has added the cached tokens where they were beside the prompt.
  if (info.isSpan) return { isPromptWithCached: true, repeatsDetails: false }
  if (info.source !== 'python-sdk' && info.integration === '') return unknownSender
  const isIntegration = integrationsWithCached.has(info.integration) && isPythonWithCached(info.integrationVersion)
  // An op that returns a message of Anthropic reports its usage as it is. A call that adds up others reports their counts.
  const isSum = info.source === 'python-sdk' && isPythonWithCached(info.clientVersion) && countCalls(info.statusCounts) > 1
  // For OpenAI, it copies the counts of cached tokens out of the details. npm `weave` does not.
  return { isPromptWithCached: isIntegration || isSum, repeatsDetails: info.source === 'python-sdk' }
}

/** The sender of a stored call. `columns` are those of `usageSenderSql`. */
export function readUsageSender(isSpan: boolean, columns: readonly string[]): UsageSender {
  const [source = '', clientVersion = '', integration = '', integrationVersion = '', statusCounts] = columns
  return toUsageSender({
    isSpan,
    source,
    clientVersion,
    integration,
    integrationVersion,
    statusCounts: statusCounts ? JSON.parse(statusCounts) : undefined,
  })
}

function isPythonWithCached(version: string): boolean {
  const numbers = /^(\d+)\.(\d+)\.(\d+)/.exec(version)?.slice(1).map(Number)
  if (!numbers) return false
  const differing = firstPythonWithCached.findIndex((each, index) => each !== numbers[index])
  return differing === -1 || (numbers[differing] ?? 0) > (firstPythonWithCached[differing] ?? 0)
}

function countCalls(statusCounts: unknown): number {
  if (!isJsonObject(statusCounts)) return 0
  return Object.values(statusCounts).reduce<number>((sum, count) => sum + (typeof count === 'number' ? count : 0), 0)
}

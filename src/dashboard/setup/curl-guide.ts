import { randomHex } from '../client/random-hex'
import { shellQuote } from '../client/shell-quote'
import type { Destination } from './guide'
import { type Guide, passwordStep } from './guide'
import { shellQuoteIfNeeded } from '../client/shell-quote'

/** The ids of a call that is not sent yet. */
export type CallIds = { id: string; traceId: string }

export function newCallIds(): CallIds {
  return { id: randomHex(8), traceId: randomHex(16) }
}

/** The shown command has the time `openedAt`; a copied one has the time of copying, so that the call is recent. */
export function curlGuide(destination: Destination, sample: CallIds, openedAt: number): Guide {
  return {
    steps: [
      passwordStep,
      {
        title: 'Send a call: its start and its end',
        label: 'Shell: curl',
        code: curlCommand(destination, sample, openedAt),
        codeToCopy: () => curlCommand(destination, sample, Date.now()),
        note: 'The copied command has the current time. Sent twice, it is still one call; after the call is received, the command gets new ids.',
      },
    ],
    threads:
      '`thread_id` names the thread. A call whose `turn_id` is its own `id` is a turn; calls below it have the turn’s `turn_id`.',
  }
}

const durationMs = 1250

function curlCommand({ baseUrl, projectId }: Destination, { id, traceId }: CallIds, endedAt: number): string {
  const start = {
    project_id: projectId,
    id,
    trace_id: traceId,
    thread_id: 'ticket-1042',
    turn_id: id,
    op_name: 'answer',
    started_at: new Date(endedAt - durationMs).toISOString(),
    attributes: {},
    inputs: { question: 'Where is my order?' },
  }
  const end = {
    project_id: projectId,
    id,
    ended_at: new Date(endedAt).toISOString(),
    output: 'On its way.',
    summary: { usage: { 'gpt-4o': { prompt_tokens: 812, completion_tokens: 64 } } },
  }
  return `curl -sS -w '\\n' ${shellQuoteIfNeeded(`${baseUrl}/call/upsert_batch`)} \\
  -u "api:$SPOOL_KEY" -H 'content-type: application/json' \\
  --data-raw ${shellQuote(`{"batch": [
{"mode": "start", "req": {"start": {
${formatFields(start)}
}}},
{"mode": "end", "req": {"end": {
${formatFields(end)}
}}}]}`)}`
}

/** One line for each field with little indentation: usual JSON formatting would be mostly margin on a narrow screen. */
function formatFields(part: Record<string, unknown>): string {
  return Object.entries(part)
    .map(([name, value]) => `  ${JSON.stringify(name)}: ${JSON.stringify(value)}`)
    .join(',\n')
}

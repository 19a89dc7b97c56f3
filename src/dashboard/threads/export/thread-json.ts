import type { ExportedCall, ThreadWriter } from './thread-content'

/** The values are the JSON that was sent, digit by digit: they are never parsed. */
export function createJsonWriter(): ThreadWriter {
  let hasTurn = false
  let hasCall = false
  return {
    begin: ({ threadId, projectId, exportedAt }) => [
      `{"format":"spool.thread","version":1,${toMembers({ thread_id: threadId, project_id: projectId, exported_at: exportedAt })},"turns":[`,
    ],
    turn: (turn, number) => {
      const before = hasTurn ? '\n]},\n' : '\n'
      hasTurn = true
      hasCall = false
      const { id, traceId, name, firstWords, startedAt, durationMs, status, failure, models, tokens, costs } = turn
      const members = {
        number,
        id,
        trace_id: traceId,
        name,
        first_words: firstWords,
        started_at: startedAt,
        duration_ms: durationMs,
        status,
        failure: failure && { call_id: failure.callId, call_name: failure.callName, message: failure.message },
        models,
        prompt_tokens: tokens?.prompt ?? null,
        completion_tokens: tokens?.completion ?? null,
        costs,
      }
      return [`${before}{${toMembers(members)},"calls":[`]
    },
    call: (call) => {
      const before = hasCall ? ',\n' : '\n'
      hasCall = true
      return [before, ...writeCall(call)]
    },
    end: (counts) => [`${hasTurn ? '\n]}' : ''}\n],"counts":${JSON.stringify(counts)}}\n`],
  }
}

function writeCall({ call, record, payloads }: ExportedCall): string[] {
  const { id, parent_id, op_name, name, kind, started_at, ended_at, status, model, prompt_tokens, completion_tokens, costs } =
    call
  const members = {
    id,
    parent_id: record ? record.parent_id : parent_id,
    trace_id: record?.trace_id ?? null,
    thread_id: record?.thread_id ?? null,
    turn_id: record?.turn_id ?? null,
    op_name,
    name,
    kind,
    started_at,
    ended_at,
    status,
    exception: record?.exception ?? null,
    model,
    prompt_tokens,
    completion_tokens,
    costs,
  }
  const unread = Object.entries(payloads).flatMap(([field, pieces]) => (pieces === undefined ? field : []))
  return [
    `{${toMembers(members)}`,
    ...Object.entries(payloads).flatMap(([field, pieces]) => [`,"${field}":`].concat(pieces ?? ['null'])),
    `${unread.length > 0 ? `,${toMembers({ could_not_be_read: unread })}` : ''}}`,
  ]
}

function toMembers(object: object): string {
  return JSON.stringify(object).slice(1, -1)
}

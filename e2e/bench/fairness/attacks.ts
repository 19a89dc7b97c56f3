import { randomBytes } from 'node:crypto'
import { setInterval as ticks } from 'node:timers/promises'
import { createCallGenerator, formatBatch, formatCompleteCall } from '../generate-calls'
import type { Attacker } from './attacker'
import { buildCall, buildSpans, longThreadId } from './attack-data'

export type Attack = {
  name: string
  /** Runs until `attacker.isActive` is false. */
  run: (attacker: Attacker) => Promise<unknown>
}

const mebibyte = 1024 * 1024
const newId = () => randomBytes(8).toString('hex')

/** Sockets that each declare a body of 30 MB and send nothing of it. */
function declareBodies(attacker: Attacker, headers: string): Promise<unknown> {
  const head = `POST /call/start HTTP/1.1\r\nhost: ${new URL(attacker.url).host}\r\n${headers}content-type: application/json\r\ncontent-length: 30000000\r\n\r\n`
  return Promise.all(Array.from({ length: 35 }, () => attacker.keepConnected((socket) => socket.write(head))))
}

/** Spans of one trace and conversation in requests of a thousand, then the usage of the conversation. */
async function sendTrace(attacker: Attacker, toParentId: (ids: readonly string[], index: number) => string) {
  const conversation = `conversation-${newId()}`
  const traceId = newId() + newId()
  const ids = Array.from({ length: 50_000 }, newId)
  for (let from = 0; from < ids.length && attacker.isActive; from += 1000) {
    const spans = ids.slice(from, from + 1000).map((id, index) => ({ id, parentId: toParentId(ids, from + index) }))
    await attacker.post('/otel/v1/traces', buildSpans(attacker.projectId, traceId, conversation, spans))
  }
  await attacker.post('/threads/usage', { project_id: attacker.projectId, thread_ids: [conversation] })
  return { traceId, conversation }
}

const scans = (projectId: string) => {
  const contains = (field: string, text: string) => ({
    $expr: { $contains: { input: { $getField: field }, substr: { $literal: text } } },
  })
  return [
    ['/calls/stream_query', { project_id: projectId }],
    ['/calls/query_stats', { project_id: projectId, query: contains('inputs', 'nowhere') }],
    ['/calls/stream_query', { project_id: projectId, query: contains('inputs.question', 'nowhere') }],
    ['/threads/usage', { project_id: projectId, thread_ids: [longThreadId] }],
  ] as const
}

/** A usage of 12 MB: a quarter of a million models in one call. */
function buildUsage(): object {
  const models = Array.from({ length: 250_000 }, (_, index) => [`model-${index}`, { prompt_tokens: index, requests: 1 }])
  return Object.fromEntries(models) as object // fromEntries types what it returns as any
}

const emptyObjects = `[${'{},'.repeat(9_000_000)}{}]`

/** The thread id of 30 MB comes last: a service that stores it may never recover. */
export const attacks: readonly Attack[] = [
  { name: '35 bodies of 30 MB declared, nothing sent, no credentials', run: (attacker) => declareBodies(attacker, '') },
  {
    name: 'the same with credentials',
    run: (attacker) => declareBodies(attacker, `authorization: ${attacker.authorization}\r\n`),
  },
  {
    name: 'batches of calls of 4,000 projects',
    run: (attacker) =>
      attacker.repeat(1, () => {
        const calls = Array.from({ length: 4000 }, (_, index) => buildCall(`eve/project-${index}`, newId()))
        return attacker.post('/call/upsert_batch', {
          batch: calls.map((start) => ({ mode: 'start', req: { start } })),
        })
      }),
  },
  {
    name: '16 scans, counts, searches, usage sums of 300,000 calls at once',
    run: (attacker) =>
      attacker.repeat(16, async (place) => {
        const choices = scans(attacker.projectId)
        const [path, body] = choices[place % choices.length] ?? ['', {}]
        await attacker.post(path, body)
      }),
  },
  {
    name: '50,000 orphan spans, then their parent',
    run: (attacker) =>
      attacker.repeat(1, async () => {
        const parentId = newId()
        const { traceId, conversation } = await sendTrace(attacker, () => parentId)
        const parent = [{ id: parentId, parentId: '' }]
        await attacker.post('/otel/v1/traces', buildSpans(attacker.projectId, traceId, conversation, parent))
      }),
  },
  {
    name: 'a chain of 50,000 spans, and its usage',
    run: (attacker) => attacker.repeat(1, () => sendTrace(attacker, (ids, index) => ids[index - 1] ?? '')),
  },
  {
    name: 'a thread of 300,000 turns that gets 20 more a second, and its usage',
    run: async (attacker) => {
      const usage = attacker.repeat(1, () =>
        attacker.post('/threads/usage', { project_id: attacker.projectId, thread_ids: [longThreadId] }),
      )
      for await (const _ of ticks(50)) {
        if (!attacker.isActive) break
        const batch = [buildCall(attacker.projectId, newId(), longThreadId)]
        void attacker.post(`/v2/${attacker.projectId}/calls/complete`, { batch })
      }
      await usage
    },
  },
  {
    name: 'calls with usage of 12 MB, and their costs',
    run: (attacker) => {
      const usage = buildUsage()
      return attacker.repeat(2, async () => {
        const call = { ...buildCall(attacker.projectId, newId()), summary: { usage } }
        await attacker.post(`/v2/${attacker.projectId}/calls/complete`, { batch: [call] })
        await attacker.post('/call/read', { project_id: attacker.projectId, id: call.id, include_costs: true })
        await attacker.post('/threads/usage', { project_id: attacker.projectId, thread_ids: [call.thread_id] })
      })
    },
  },
  {
    name: '27 MB of empty objects, as batch, inputs and query',
    run: (attacker) => {
      const start = JSON.stringify({ start: { ...buildCall(attacker.projectId, newId()), inputs: { list: 0 } } })
      const bodies = [
        ['/call/upsert_batch', Buffer.from(`{"batch":${emptyObjects}}`)],
        ['/call/start', Buffer.from(start.replace('{"list":0}', `{"list":${emptyObjects}}`))],
        ['/cost/query', Buffer.from(`{"project_id":"${attacker.projectId}","query":{"$expr":{"$and":${emptyObjects}}}}`)],
      ] as const
      return attacker.repeat(3, async (place) => {
        const [path, body] = bodies[place] ?? bodies[0]
        await attacker.post(path, body)
      })
    },
  },
  {
    name: '16 clients with batches of 1,000 calls of 2 kB',
    run: (attacker) =>
      attacker.repeat(16, async () => {
        const calls = Array.from({ length: 1000 }, createCallGenerator())
        const body = formatBatch(calls.map((call) => formatCompleteCall(attacker.projectId, call)))
        await attacker.post(`/v2/${attacker.projectId}/calls/complete`, body)
      }),
  },
  {
    name: '200 wrong passwords a second from the same address',
    run: async (attacker) => {
      for await (const _ of ticks(5)) {
        if (!attacker.isActive) break
        const authorization = `Basic ${Buffer.from(`kim:${newId()}`).toString('base64')}`
        void attacker.post('/cost/query', { project_id: 'kim/support' }, { authorization })
      }
    },
  },
  {
    name: '30 streams of 300,000 calls, read at 1 kB a second',
    run: (attacker) => {
      const body = JSON.stringify({ project_id: attacker.projectId })
      const head = `POST /calls/stream_query HTTP/1.1\r\nhost: ${new URL(attacker.url).host}\r\nauthorization: ${attacker.authorization}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n`
      const readSlowly = () =>
        attacker.keepConnected((socket) => {
          socket.pause()
          socket.write(head + body)
          const reading = setInterval(() => socket.read(1024), 1000)
          socket.on('close', () => clearInterval(reading))
        })
      return Promise.all(Array.from({ length: 30 }, readSlowly))
    },
  },
  {
    name: 'starts with thread ids of 30 MB',
    run: (attacker) =>
      attacker.repeat(2, async () => {
        const start = buildCall(attacker.projectId, newId(), newId() + 'x'.repeat(29 * mebibyte))
        await attacker.post('/call/start', { start })
      }),
  },
]

import pino from 'pino'
import * as z from 'zod/mini'
import { GrowingClock } from '../../src/service/lib/growing-clock'
import { CallWriter } from '../../src/service/ingest/call-writer'
import type { CallRow } from '../../src/service/ingest/call-row'
import { TurnDeriver } from '../../src/service/derive/turn-deriver'
import { toStoredCost } from '../../src/service/pricing/stored-cost'
import { querySpend } from '../../src/service/spend/query-spend'
import { SpendDeriver } from '../../src/service/spend/spend-deriver'
import type { SpendRequest } from '../../src/service/spend/spend-request'
import { referenceSpend } from '../../src/service/spend/testing/reference-spend'
import { count } from '../../src/service/store/row-types'
import { sql, uint64 } from '../../src/service/store/sql'
import type { Store } from '../../src/service/store/store'
import { measureInterleaved, report } from './report'

const project_id = 'bench/spend'
const callsPerStatement = 200_000
/** The reference model is measured on so many calls. */
const referenceCalls = 50_000

// 10 calls a turn, 9 of them of models, over 30 days; 8 models, 500 users, 20 ops. A step for long prompts is above 200,000.
const insertCalls = (from: number, amount: number, total: number) => sql`
INSERT INTO calls (inserted_at, project_id, id, trace_id, parent_id, op_name, started_at, ended_at, attributes, summary)
SELECT toDateTime64('2026-01-01 00:00:00', 6, 'UTC') + toIntervalMicrosecond(number), ${project_id},
  lower(leftPad(hex(sipHash64(number)), 16, '0')), concat(turn_id, turn_id), if(number % 10 = 0, '', turn_id),
  concat('op-', toString(cityHash64(number, 1) % 20)), started, started + toIntervalSecond(1),
  if(number % 10 = 0, concat('{"user_id":"user-', toString(cityHash64(number, 2) % 500), '"}'), '{"provider":"openai"}'),
  if(number % 10 = 0, '{}', concat('{"usage":{"model-', toString(cityHash64(number, 3) % 8), '":{"requests":1,"prompt_tokens":',
    toString(cityHash64(number, 4) % 20000), ',"completion_tokens":', toString(cityHash64(number, 5) % 1000), '}}}'))
FROM (SELECT number, lower(leftPad(hex(sipHash64(intDiv(number, 10) * 10)), 16, '0')) AS turn_id,
    toDateTime64('2026-06-01 00:00:00', 6, 'UTC') + toIntervalMicrosecond(intDiv(number * 2592000000000, ${uint64(total)})) AS started
  FROM numbers(${uint64(from)}, ${uint64(amount)}))`

const Sizes = z.object({ name: z.string(), bytes: count })

/** Spend by day and model over 30 days: the table that it is read from, what it costs to derive, and the reference model. */
export async function benchSpend(store: Store, calls: number): Promise<boolean> {
  const logger = pino({ level: 'error' }, pino.destination(2))
  for (let from = 0; from < calls; from += callsPerStatement) {
    await store.command(insertCalls(from, Math.min(callsPerStatement, calls - from), calls))
  }
  let priceCount = 0
  const setPrice = async (model: string, prompt_token_cost: number) =>
    store.insert('costs', [
      toStoredCost(
        {
          project_id,
          id: String((priceCount += 1)).padStart(4, '0'),
          llm_id: model,
          provider_id: 'default',
          prompt_token_cost,
          completion_token_cost: 0.00001,
          prompt_token_cost_unit: 'USD',
          completion_token_cost_unit: 'USD',
          effectiveDate: '2026-01-01T00:00:00Z',
          created_by: '',
        },
        0,
      ),
    ])
  for (let model = 0; model < 8; model += 1) await setPrice(`model-${model}`, 0.0000025)
  const deriver = new TurnDeriver({ store, insertClock: new GrowingClock(() => Date.now()), logger })
  const spends = new SpendDeriver({ store, deriver, logger })
  const startedAt = performance.now()
  spends.start()
  for (;;) {
    try {
      await spends.flush(project_id)
      break
    } catch {
      // It takes longer than a reader waits.
    }
  }
  const deriveSeconds = (performance.now() - startedAt) / 1000
  await spends.close()
  await store.command(sql`OPTIMIZE TABLE spent_calls FINAL`, { maxSeconds: 600 })

  const cpu = await measureCpu(store, deriver, new SpendDeriver({ store, deriver, logger }))
  const request = (more: Partial<SpendRequest>): SpendRequest => ({ project_id, limit: undefined, offset: undefined, ...more })
  const byDayAndModel = request({ group_by: ['interval', 'model'], interval: 'day' })
  const scan = sql`SELECT max(started_at) AS a, max(model) AS b, max(provider) AS c, max(prompt_tokens) AS d, max(completion_tokens) AS e,
  max(total_tokens) AS f, max(cache_read_input_tokens) AS g, max(cache_creation_input_tokens) AS h, max(requests) AS i,
  max(input_audio_tokens) AS j, max(cache_read_audio_tokens) AS k, max(cache_write_1h_tokens) AS l,
  max(output_audio_tokens) AS m, max(reasoning_tokens) AS n, max(is_spent) AS o
FROM spent_calls WHERE project_id = ${project_id}`
  const reference = request({
    group_by: ['interval', 'model'],
    interval: 'day',
    filter: {
      after_datetime: '2026-06-01T00:00:00Z',
      before_datetime: new Date(Date.UTC(2026, 5, 1) + (2_592_000_000 * Math.min(referenceCalls, calls)) / calls).toISOString(),
      models: undefined,
      providers: undefined,
      op_names: undefined,
      users: undefined,
      thread_ids: undefined,
    },
  })
  const ms = await measureInterleaved(
    {
      scan: () => store.query(scan, z.unknown(), { lane: 'scan' }),
      byDayAndModel: () => querySpend(store, byDayAndModel, {}),
      byUser: () => querySpend(store, request({ group_by: ['user'], limit: 50 }), {}),
      corrected: async () => {
        await setPrice('model-1', 0.000003)
        await querySpend(store, byDayAndModel, {})
      },
    },
    5,
  )
  const referenceMs = await measureInterleaved({ reference: () => referenceSpend(store, reference, {}) }, 1)
  const sizes = await store.query(
    sql`SELECT table AS name, sum(bytes_on_disk) AS bytes FROM system.parts WHERE active AND database = currentDatabase()
  AND table IN ('calls', 'spent_calls', 'trace_calls') GROUP BY table`,
    Sizes,
  )
  const perMillion = (table: string) => ((sizes.find(({ name }) => name === table)?.bytes ?? 0) / calls / 1e6) * 1e6
  const referenceAll = referenceMs.reference * (calls / Math.min(referenceCalls, calls))
  return report(`Spend of ${calls.toLocaleString('en')} calls, 90 % of models, over 30 days`, [
    { name: 'calls derived per second', value: calls / deriveSeconds, unit: '/s' },
    { name: 'processor time to write a call', value: cpu.writeUs, unit: 'us' },
    { name: 'processor time to derive what it spent', value: cpu.deriveUs, unit: 'us' },
    { name: 'scan of the columns', value: ms.scan, unit: 'ms' },
    { name: 'by day and model', value: ms.byDayAndModel, unit: 'ms' },
    { name: '  as a multiple of the scan', value: ms.byDayAndModel / ms.scan, unit: 'x', target: { max: 10 } },
    {
      name: '  faster than the reference model, by its time for a part',
      value: referenceAll / ms.byDayAndModel,
      unit: 'x',
      target: { min: 50 },
    },
    { name: 'by user, first 50', value: ms.byUser, unit: 'ms' },
    { name: 'a corrected price, and by day and model', value: ms.corrected, unit: 'ms' },
    { name: 'spent_calls per million calls', value: perMillion('spent_calls'), unit: 'MB' },
    { name: 'trace_calls per million calls', value: perMillion('trace_calls'), unit: 'MB' },
    { name: 'calls per million calls', value: perMillion('calls'), unit: 'MB' },
  ])
}

/** Of this process and its engine, per call: writing whole calls with a payload of 1 kB, and deriving what they spent. */
async function measureCpu(store: Store, deriver: TurnDeriver, spends: SpendDeriver) {
  const writer = new CallWriter(store, deriver)
  const used = () => {
    const { user, system } = process.cpuUsage()
    return user + system
  }
  const projectId = 'bench/cpu'
  const payload = { text: 'A question with the documents found for it. '.repeat(22) }
  const rounds = 10
  await spends.flush(projectId)
  const before = used()
  for (let round = 0; round < rounds; round += 1) {
    await writer.write(
      Array.from({ length: 1000 }, (_, index): CallRow => {
        const id = (round * 1000 + index).toString(16).padStart(16, '0')
        const turnId = id.slice(0, 15)
        return {
          project_id: projectId,
          id,
          trace_id: turnId.padStart(32, '0'),
          parent_id: id.endsWith('0') ? undefined : `${turnId}0`,
          op_name: 'answer',
          started_at: new Date(Date.UTC(2026, 5, 1) + index).toISOString(),
          ended_at: new Date(Date.UTC(2026, 5, 1) + index + 1000).toISOString(),
          attributes: { provider: 'openai' },
          inputs: payload,
          output: payload,
          summary: id.endsWith('0') ? {} : { usage: { 'model-1': { requests: 1, prompt_tokens: index, completion_tokens: 10 } } },
        }
      }),
    )
  }
  await deriver.flush(projectId)
  const written = used()
  await spends.flush(projectId)
  const derived = used()
  const calls = rounds * 1000
  return { writeUs: (written - before) / calls, deriveUs: (derived - written) / calls }
}

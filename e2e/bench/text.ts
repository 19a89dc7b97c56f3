import pino from 'pino'
import * as z from 'zod/mini'
import { SearchThreads } from '../../src/contract/thread-search-requests'
import { TurnDeriver } from '../../src/service/derive/turn-deriver'
import type { CallRow } from '../../src/service/ingest/call-row'
import { CallWriter } from '../../src/service/ingest/call-writer'
import { GrowingClock } from '../../src/service/lib/growing-clock'
import { count } from '../../src/service/store/row-types'
import { sql, uint64 } from '../../src/service/store/sql'
import type { Store } from '../../src/service/store/store'
import { SearchDeriver } from '../../src/service/threads/search/search-deriver'
import { searchThreads } from '../../src/service/threads/search/search-threads'
import { deriveLoaded } from './load-calls'
import { measureInterleaved, report } from './report'

const project_id = 'bench/text'
const callsPerStatement = 20_000
/** Inputs and output of a call together. */
const wordsPerCall = 1200
const bytesPerCall = 6240

// Words are `w` and a number up to 200,000. As in real text, the n-th word is n times as rare as the first. Ten calls a turn,
// ten turns a thread.
const text = (side: number) => sql`concat('{"text":"', arrayStringConcat(arrayMap(
  position -> concat('w', toString(toUInt32(exp(12.206 * (cityHash64(number, position, ${uint64(side)}) % 1000003) / 1000003)))),
  range(${uint64(wordsPerCall / 2)})), ' '), '"}')`

const insertCalls = (from: number, amount: number) => sql`
INSERT INTO calls (inserted_at, project_id, id, trace_id, parent_id, thread_id, thread_ids, turn_id, turn_ids, op_name, started_at,
  ended_at, inputs, output)
SELECT toDateTime64('2026-01-01 00:00:00', 6, 'UTC') + toIntervalMicrosecond(number), ${project_id},
  lower(leftPad(hex(sipHash64(number)), 16, '0')), concat(turn, turn), if(number % 10 = 0, '', turn), thread, [thread], turn, [turn],
  'answer', toDateTime64('2026-06-01 00:00:00', 6, 'UTC') + toIntervalMillisecond(number) AS started,
  started + toIntervalSecond(2), ${text(1)}, ${text(2)}
FROM (SELECT number, lower(leftPad(hex(sipHash64(intDiv(number, 10) * 10)), 16, '0')) AS turn,
    concat('thread-', toString(intDiv(number, 100))) AS thread
  FROM numbers(${uint64(from)}, ${uint64(amount)}))`

const Sizes = z.object({ payload: count, stored: count, index: count, rows: count, words: count })

/** Text search over so many bytes of inputs and outputs: against the engine's scan, with the size of its index and its cost. */
export async function benchText(store: Store, gigabytes: number): Promise<boolean> {
  const calls = Math.round((gigabytes * 1e9) / bytesPerCall)
  for (let from = 0; from < calls; from += callsPerStatement) {
    await store.command(insertCalls(from, Math.min(callsPerStatement, calls - from)))
  }
  await deriveLoaded(store)
  const logger = pino({ level: 'error' }, pino.destination(2))
  const deriver = new TurnDeriver({ store, insertClock: new GrowingClock(() => Date.now()), logger })
  const searches = new SearchDeriver({ store, deriver, logger })
  const startedAt = performance.now()
  searches.start()
  while (
    !(await searches.flush(project_id).then(
      () => true,
      () => false,
    ))
  );
  const deriveSeconds = (performance.now() - startedAt) / 1000
  await searches.close()

  // Another word each time: the engine remembers which parts of a table a condition excludes.
  let run = 0
  const rare = () => `w${190_000 + (run += 1)}`
  const find = (toText: () => string) => async () => {
    let found = 0
    const request = SearchThreads.parse({ project_id, filter: { text: toText() }, limit: 50 })
    for await (const threads of searchThreads(store, request, {})) found += threads.length
    return found
  }
  const has = (word: string) => sql`(position(inputs, ${word}) > 0 OR position(output, ${word}) > 0)`
  const scan = (word: string) =>
    store.query(
      sql`SELECT uniqExact(thread_id) AS found FROM calls WHERE project_id = ${project_id} AND ${has(word)}`,
      z.unknown(),
      {
        lane: 'scan',
      },
    )
  const ms = await measureInterleaved(
    {
      scan: () => scan(`${rare()} `),
      rare: find(rare),
      common: find(() => 'w1'),
      'two words': find(() => `w100 ${rare()}`),
      beginning: find(() => `${rare().slice(0, -1)}*`),
    },
    3,
  )
  const [sizes] = await store.query(
    sql`SELECT (SELECT sum(length(inputs) + length(output)) FROM calls WHERE project_id = ${project_id}) AS payload,
  (SELECT sum(bytes_on_disk) FROM system.parts WHERE active AND database = currentDatabase() AND table = 'calls') AS stored,
  (SELECT sum(secondary_indices_compressed_bytes) FROM system.parts
    WHERE active AND database = currentDatabase() AND table = 'thread_calls') AS index,
  (SELECT sum(bytes_on_disk - secondary_indices_compressed_bytes) FROM system.parts
    WHERE active AND database = currentDatabase() AND table = 'thread_calls') AS rows,
  (SELECT sum(bytes_on_disk) FROM system.parts WHERE active AND database = currentDatabase() AND table = 'thread_words') AS words`,
    Sizes,
    { lane: 'scan' },
  )
  if (!sizes) throw new Error('The store of the bench is empty.')
  const cpu = await measureIngest(store, deriver, new SearchDeriver({ store, deriver, logger }))
  const perGigabyte = (bytes: number) => bytes / 1e6 / (sizes.payload / 1e9)
  return report(`Text search over ${(sizes.payload / 1e9).toFixed(1)} GB in ${calls.toLocaleString('en')} calls`, [
    { name: 'calls indexed per second', value: calls / deriveSeconds, unit: '/s' },
    { name: "the engine's scan for a word", value: ms.scan, unit: 'ms' },
    { name: 'a rare word, first 50 threads', value: ms.rare, unit: 'ms' },
    { name: '  faster than the scan', value: ms.scan / ms.rare, unit: 'x', target: { min: 10 } },
    { name: 'a word of nearly every call', value: ms.common, unit: 'ms' },
    { name: 'two words', value: ms['two words'], unit: 'ms' },
    { name: 'words with a beginning', value: ms.beginning, unit: 'ms' },
    { name: 'calls on disk, per GB of text', value: perGigabyte(sizes.stored), unit: 'MB' },
    { name: 'index of words, per GB of text', value: perGigabyte(sizes.index), unit: 'MB' },
    { name: 'thread_calls without it, per GB of text', value: perGigabyte(sizes.rows), unit: 'MB' },
    { name: 'thread_words, per GB of text', value: perGigabyte(sizes.words), unit: 'MB' },
    { name: 'processor time to write a call of 6 kB', value: cpu.writeUs, unit: 'us' },
    { name: 'processor time to index it', value: cpu.indexUs, unit: 'us' },
  ])
}

/** Processor time of this process and its engine per call of 6 kB, for new calls beside all those of the store. */
async function measureIngest(store: Store, deriver: TurnDeriver, searches: SearchDeriver) {
  const writer = new CallWriter(store, deriver)
  const used = () => {
    const { user, system } = process.cpuUsage()
    return user + system
  }
  const side = (seed: number) =>
    Array.from(
      { length: wordsPerCall / 2 },
      (_, position) => `w${Math.floor(Math.exp(12.206 * (((seed * 7919 + position * 104_729) % 1_000_003) / 1_000_003)))}`,
    ).join(' ')
  await searches.flush(project_id)
  const rounds = 5
  const before = used()
  for (let round = 0; round < rounds; round += 1) {
    await writer.write(
      Array.from({ length: 1000 }, (_, index): CallRow => {
        const number = round * 1000 + index
        const id = `f${number.toString(16).padStart(15, '0')}`
        const turnId = `${id.slice(0, 15)}0`
        return {
          project_id,
          id,
          trace_id: turnId.repeat(2),
          parent_id: id === turnId ? undefined : turnId,
          thread_id: `new-${round}`,
          turn_id: turnId,
          op_name: 'answer',
          started_at: new Date(Date.UTC(2026, 6, 1) + number).toISOString(),
          ended_at: new Date(Date.UTC(2026, 6, 1) + number + 1000).toISOString(),
          inputs: { text: side(2 * number) },
          output: { text: side(2 * number + 1) },
        }
      }),
    )
  }
  await deriver.flush(project_id)
  const written = used()
  await searches.flush(project_id)
  const indexed = used()
  const calls = rounds * 1000
  return { writeUs: (written - before) / calls, indexUs: (indexed - written) / calls }
}

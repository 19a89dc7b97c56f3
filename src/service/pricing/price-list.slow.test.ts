import { calcPrice, type Usage as ListUsage, waitForUpdate } from '@pydantic/genai-prices'
import * as fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addDecimals, toNumber, zero } from '../../contract/decimal'
import { openTemporaryStore } from '../store/testing/temporary-store'
import { calculateAmounts } from './cost-of-usage'
import { PriceBook } from './price-book'
import { bundledCatalog, syncCatalog } from './sync-catalog'
import { parseUsage } from '../usage/usage'

// Every provider and model of the price list, held against the list's own calculator.

let place: Awaited<ReturnType<typeof openTemporaryStore>>
let book: PriceBook
const models: { providerId: string; model: string }[] = []
/** A moment within each price that the list has, and on both sides of each of its borders. */
const instants: string[] = []

beforeAll(async () => {
  place = await openTemporaryStore()
  await syncCatalog(place.store, await bundledCatalog(), 0)
  const providers = (await waitForUpdate()) ?? []
  const entries = providers.flatMap((provider) =>
    provider.models.map((model) => ({ providerId: provider.id, model: model.id, prices: model.prices })),
  )
  models.push(...entries.map(({ providerId, model }) => ({ providerId, model })))
  const dates = new Set<string>()
  const times = new Set(['00:00:00Z'])
  for (const { prices } of entries) {
    for (const { constraint } of Array.isArray(prices) ? prices : []) {
      if (constraint?.type === 'start_date') dates.add(constraint.start_date)
      if (constraint?.type === 'time_of_date') for (const time of [constraint.start_time, constraint.end_time]) times.add(time)
    }
  }
  for (const date of [...dates, '2020-01-01', '2026-11-01']) {
    for (const time of times) {
      const at = Date.parse(`${date}T${time}`)
      instants.push(...[at - 1, at].map((ms) => new Date(ms).toISOString()))
    }
  }
  book = new PriceBook(place.store, 'priced/p')
  await book.load(
    models.map(({ model }) => model),
    {},
  )
})
afterAll(() => place.remove())

type Counts = {
  input: number
  read: number
  written: number
  writtenForHour: number
  audio: number
  cachedAudio: number
  output: number
  outputAudio: number
  reasoning: number
}

/** What is cached, and what is audio, is a part of the input; cached audio is a part of both. */
const counts: fc.Arbitrary<Counts> = fc
  .record({
    // The steps of the list begin between 32,000 and 1,000,000 tokens.
    text: fc.oneof(fc.nat(5000), fc.nat(1_500_000), fc.constantFrom(32_000, 128_000, 200_000, 200_001, 256_000, 272_000)),
    read: fc.nat(100_000),
    writtenShort: fc.nat(10_000),
    writtenForHour: fc.nat(10_000),
    plainAudio: fc.nat(1000),
    cachedAudio: fc.nat(1000),
    textOut: fc.nat(50_000),
    outputAudio: fc.nat(1000),
    reasoning: fc.nat(1000),
  })
  .map((each) => ({
    input: each.text + each.read + each.cachedAudio + each.writtenShort + each.writtenForHour + each.plainAudio,
    read: each.read + each.cachedAudio,
    written: each.writtenShort + each.writtenForHour,
    writtenForHour: each.writtenForHour,
    audio: each.plainAudio + each.cachedAudio,
    cachedAudio: each.cachedAudio,
    output: each.textOut + each.outputAudio + each.reasoning,
    outputAudio: each.outputAudio,
    reasoning: each.reasoning,
  }))

function toSummaryUsage({ input, read, written, writtenForHour, audio, cachedAudio, output, outputAudio, reasoning }: Counts) {
  return {
    prompt_tokens: input,
    completion_tokens: output,
    cache_creation_input_tokens: written,
    cache_creation: { ephemeral_1h_input_tokens: writtenForHour },
    prompt_tokens_details: { cached_tokens: read, audio_tokens: audio, cached_tokens_details: { audio_tokens: cachedAudio } },
    completion_tokens_details: { reasoning_tokens: reasoning, audio_tokens: outputAudio },
  }
}

function toListUsage(usage: Counts): ListUsage {
  return {
    input_tokens: usage.input,
    cache_read_tokens: usage.read,
    cache_write_tokens: usage.written,
    cache_write_1h_tokens: usage.writtenForHour,
    input_audio_tokens: usage.audio,
    cache_audio_read_tokens: usage.cachedAudio,
    cache_audio_write_tokens: 0,
    cache_audio_write_1h_tokens: 0,
    output_tokens: usage.output,
    output_audio_tokens: usage.outputAudio,
    output_reasoning_tokens: usage.reasoning,
    output_audio_reasoning_tokens: 0,
  }
}

function priceBySpool(model: string, providerId: string, at: string, usage: Counts): number | undefined {
  const parsed = parseUsage({ m: toSummaryUsage(usage) }).get('m')
  const price = book.findPrice(model, at, providerId)
  if (!parsed || !price) return undefined
  const amounts = Object.values(calculateAmounts(parsed, price))
  return toNumber(amounts.reduce((sum: typeof zero, amount) => (amount ? addDecimals(sum, amount) : sum), zero))
}

test('every model of the list costs what the calculator of the list says, for any usage at any time', () => {
  const random = fc.sample(counts, { numRuns: 4000, seed: Number(process.env['SPOOL_TEST_SEED'] ?? 1) })
  let compared = 0
  const differences: string[] = []
  for (const [index, { providerId, model }] of models.entries()) {
    if (!book.findPrice(model, '2026-11-01T00:00:00.000Z', providerId)) continue // priced by other things than tokens
    for (let run = 0; run < 12; run += 1) {
      const at = instants[(index * 12 + run) % instants.length] ?? ''
      const usage = random[(index * 12 + run) % random.length]
      if (!usage) throw new Error('a usage for each run')
      const listed = calcPrice(toListUsage(usage), model, { providerId, timestamp: new Date(at) })
      if (!listed) continue // the calculator does not find some of its own models
      const cost = priceBySpool(model, providerId, at, usage)
      compared += 1
      if (cost === undefined || Math.abs(cost - listed.total_price) > 1e-12 * listed.total_price) {
        differences.push(`${providerId}/${model} at ${at}: ${cost}, not ${listed.total_price}, for ${JSON.stringify(usage)}`)
      }
    }
  }
  expect(differences.slice(0, 20)).toEqual([])
  expect(compared).toBeGreaterThan(15_000)
})

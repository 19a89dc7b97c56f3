import { calcPrice, type Provider, waitForUpdate } from '@pydantic/genai-prices'
import { choosePrice } from '../../contract/compare-prices'
import { compareInstants } from '../../contract/instant'
import type { QueryOptions, Store } from '../store/store'
import { TableCache } from '../store/table-cache'
import { PriceRecord, selectPrices } from './price-record'
import { type HighestPrices, maxPrices, toHighestPrices } from './highest-prices'
import { ListedRates, type Rates, ratesOfRecord } from './token-rates'

/** What a call is charged, and the record that says so. */
export type Price = { record: PriceRecord; rates: Rates }

/** Sorted. A price may hold from a date, from a minute of the day (UTC), or above a number of input tokens. */
export type PriceBoundaries = {
  dates: readonly string[]
  minutesOfDay: readonly number[]
  inputTokens: readonly number[]
}

function sortNumbers(numbers: Iterable<number>): number[] {
  return [...numbers].toSorted((left, right) => left - right)
}

/** The catalog's names for what instrumentations call a provider. */
const providerByAlias: Readonly<Record<string, string>> = {
  'aws.bedrock': 'aws',
  aws_bedrock: 'aws',
  bedrock: 'aws',
  'azure.ai.openai': 'azure',
  'azure.ai.inference': 'azure',
  azure_openai: 'azure',
  gemini: 'google',
  'gcp.gemini': 'google',
  'gcp.gen_ai': 'google',
  'gcp.vertex_ai': 'google',
  vertex_ai: 'google',
  mistral_ai: 'mistral',
  mistralai: 'mistral',
  moonshot_ai: 'moonshotai',
  x_ai: 'x-ai',
  xai: 'x-ai',
}

/** About 10 MB. */
const maxRemembered = 20_000
const cacheByStore = new WeakMap<Store, TableCache<readonly PriceRecord[]>>()

/** Every page with costs needs prices, which change rarely, and to read them takes 6 to 17 ms. */
function cacheOf(store: Store): TableCache<readonly PriceRecord[]> {
  const known = cacheByStore.get(store)
  if (known) return known
  const limit = { maxSize: maxRemembered, toSize: (records: readonly PriceRecord[]) => records.length + 1 }
  const cache = new TableCache(store, 'costs', limit)
  cacheByStore.set(store, cache)
  return cache
}

// To find the model of one version takes up to 0.1 ms.
const modelsPerTurn = 100

/**
 * The prices of a project's models, as one request needs them: the store is asked once for each model. Providers return the
 * name of a version (`gpt-4o-2024-08-06`), which price lists rarely have: where no record has that very name, the records
 * of the model apply.
 */
export class PriceBook {
  private readonly recordsByModel = new Map<string, readonly PriceRecord[]>()
  /** The providers that the price list has each model at, with or without prices for its tokens. */
  private readonly providersByModel = new Map<string, ReadonlySet<string>>()
  private readonly listedRates = new ListedRates()

  constructor(
    private readonly store: Store,
    private readonly projectId: string,
  ) {}

  /** Loads the records of the models that are not loaded yet. */
  async load(models: Iterable<string>, options: QueryOptions): Promise<void> {
    const missing = [...new Set(models)].filter((model) => !this.recordsByModel.has(model))
    // The event loop has its turn while the store is asked.
    for (let first = 0; first < missing.length; first += modelsPerTurn) {
      await this.loadMissing(missing.slice(first, first + modelsPerTurn), options)
    }
  }

  private async loadMissing(missing: readonly string[], options: QueryOptions): Promise<void> {
    for (const [model, records] of await this.findRecords(missing, options)) this.recordsByModel.set(model, records)
    const providers = (await waitForUpdate()) ?? []
    for (const name of missing) this.providersByModel.set(name, findProviders(name, providers))
    const versions = missing.flatMap((name) => {
      const model = this.recordsByModel.get(name)?.length === 0 ? findModelOfVersion(name, providers) : undefined
      return model === undefined ? [] : [{ name, model }]
    })
    if (versions.length === 0) return
    const found = await this.findRecords([...new Set(versions.map(({ model }) => model))], options)
    for (const { name, model } of versions) {
      this.recordsByModel.set(name, found.get(model) ?? [])
      this.providersByModel.set(name, findProviders(model, providers))
    }
  }

  /** The price of a loaded model for a call that started at this instant; undefined where the model has none. */
  findPrice(model: string, startedAt: string, provider: string | undefined): Price | undefined {
    const alias = provider === undefined ? undefined : toListedProvider(provider)
    const record = choosePrice(this.recordsByModel.get(model) ?? [], startedAt, alias)
    if (!record) return undefined
    if (record.project_id !== '') return { record, rates: ratesOfRecord(record) }
    // The provider charges by other things than tokens, such as a subscription. What others charge says nothing about it.
    if (alias && record.provider_id !== alias && this.providersByModel.get(model)?.has(alias)) return undefined
    return { record, rates: this.listedRates.find(record, startedAt) ?? ratesOfRecord(record) }
  }

  /** The most that tokens and requests of a loaded model can cost in this currency, for calls that start at `from` or later. */
  highestPrices(model: string, provider: string | undefined, from: string, currency: string): HighestPrices {
    const dates = (this.recordsByModel.get(model) ?? []).map(({ effective_date: date }) => date)
    const changes = dates.filter((date) => compareInstants(date, from) > 0)
    let highest: HighestPrices = { cacheRead: 0, input: 0, output: 0, requests: 0 }
    for (const at of [from, ...changes]) {
      const price = this.findPrice(model, at, provider)
      if (!price) continue
      const listed = price.record.project_id === '' ? this.listedRates.findHourly(price.record) : []
      for (const rates of [price.rates, ...listed]) highest = maxPrices(highest, toHighestPrices(rates, price.record, currency))
    }
    return highest
  }

  /** Where prices of these loaded models may change. Between two boundaries of each kind a model has one price. */
  boundariesOf(models: Iterable<string>): PriceBoundaries {
    const dates = new Set<string>()
    const minutesOfDay = new Set<number>()
    const inputTokens = new Set<number>()
    for (const model of models) {
      for (const record of this.recordsByModel.get(model) ?? []) {
        dates.add(record.effective_date)
        if (record.project_id !== '') continue
        const steps = this.listedRates.findSteps(record)
        for (const minute of steps.minutesOfDay) minutesOfDay.add(minute)
        for (const above of steps.inputTokens) inputTokens.add(above)
      }
    }
    return {
      dates: [...dates].toSorted(compareInstants),
      minutesOfDay: sortNumbers(minutesOfDay),
      inputTokens: sortNumbers(inputTokens),
    }
  }

  /** Whether a loaded model has prices, at any time; with `provider`: of that provider. */
  hasPrice(model: string, provider?: string): boolean {
    const records = this.recordsByModel.get(model) ?? []
    if (provider === undefined) return records.length > 0
    const named = toListedProvider(provider)
    return records.some((record) => record.provider_id === named)
  }

  private async findRecords(models: readonly string[], options: QueryOptions): Promise<Map<string, readonly PriceRecord[]>> {
    const toKey = (model: string) => JSON.stringify([this.projectId, model])
    const modelByKey = new Map(models.map((model) => [toKey(model), model]))
    const recordsByKey = await cacheOf(this.store).read([...modelByKey.keys()], async (keys) => {
      const missing = keys.flatMap((key) => modelByKey.get(key) ?? [])
      const found = new Map<string, PriceRecord[]>(keys.map((key) => [key, []]))
      for (const record of await this.store.query(selectPrices(this.projectId, missing), PriceRecord, options)) {
        found.get(toKey(record.llm_id))?.push(record)
      }
      return found
    })
    return new Map([...modelByKey].map(([key, model]) => [model, recordsByKey.get(key) ?? []]))
  }
}

function toListedProvider(name: string): string {
  return (Object.hasOwn(providerByAlias, name) ? providerByAlias[name] : undefined) ?? name
}

function findProviders(model: string, providers: readonly Provider[]): ReadonlySet<string> {
  return new Set(providers.filter(({ models }) => models.some(({ id }) => id === model)).map(({ id }) => id))
}

// The catalog matches a name against many patterns, and no model has a longer name.
const maxNameLength = 200

/**
 * The catalog's model of a version, `gpt-4o` for `gpt-4o-2024-08-06`; undefined where the catalog knows none, or lists this
 * very name, without a price (`deepseek-chat:free`).
 */
function findModelOfVersion(name: string, providers: readonly Provider[]): string | undefined {
  if (name.length > maxNameLength || providers.some(({ models }) => models.some(({ id }) => id === name))) return undefined
  return calcPrice({}, name)?.model.id
}

import { formatLimit } from '../../contract/schema'
import type { SpendGroup, SpendKey } from '../../contract/spend'
import { HttpError } from '../http/http-error'
import { toCompoundKey } from '../lib/compound-key'
import { sortInSlices } from '../lib/sort-in-slices'
import type { TimeSlices } from '../lib/time-slices'
import type { PriceBook } from '../pricing/price-book'
import { GroupOrder, type RankedGroup } from './compare-groups'
import { type Group, GroupTotal, type PricedShare, type ReferenceModel } from './group-total'
import type { SpendRequest } from './spend-request'
import type { SpentCalls } from './spent-calls'
import { TimeZone } from './time-zone'

/** All groups are in memory while they are added up, also those beyond the page. */
const maxGroups = 200_000

/** Adds up spent calls by the keys of a request. The prices of their models, and of the reference models, must be loaded. */
export class SpendGroups {
  private readonly groups = new Map<string, Group>()
  private readonly timeZone: TimeZone
  private readonly references: readonly ReferenceModel[]
  private readonly keys: readonly SpendKey[]
  private readonly models: ReadonlySet<string>
  private readonly providers: ReadonlySet<string>

  constructor(
    private readonly request: SpendRequest,
    private readonly prices: PriceBook,
  ) {
    this.timeZone = new TimeZone(request.time_zone ?? 'UTC')
    this.keys = request.group_by ?? []
    this.references = (request.reprice_as ?? []).map(({ llm_id, provider_id }) => ({ llm_id, provider_id: provider_id ?? null }))
    this.models = new Set(request.filter?.models)
    this.providers = new Set(request.filter?.providers)
  }

  /** Adds those shares of the calls that the request's models and providers select. Other filters must hold already. */
  add(calls: SpentCalls): void {
    const { startedAt, callCount } = calls
    const referencePrices = this.references.map(({ llm_id, provider_id }) =>
      this.prices.findPrice(llm_id, startedAt, provider_id ?? undefined),
    )
    const sharesOfGroup = new Map<Group, PricedShare[]>()
    for (const share of calls.shares) {
      if (this.models.size > 0 && !this.models.has(share.model)) continue
      const price = this.prices.findPrice(share.model, startedAt, calls.provider ?? undefined)
      const provider = price?.record.provider_id ?? calls.provider
      if (this.providers.size > 0 && (provider === null || !this.providers.has(provider))) continue
      const group = this.findGroup(calls, share.model, provider)
      const shares = sharesOfGroup.get(group)
      if (shares) shares.push({ share, price, referencePrices })
      else sharesOfGroup.set(group, [{ share, price, referencePrices }])
    }
    for (const [group, shares] of sharesOfGroup) group.total.add(callCount, shares)
  }

  /** The groups as requested: sorted, from `offset`, at most `limit`. */
  async toPage(slices: TimeSlices): Promise<SpendGroup[]> {
    const { sort_by: sortBy, limit = Infinity, offset = 0 } = this.request
    const order = new GroupOrder(sortBy ?? [], this.keys)
    const ranked: RankedGroup[] = []
    for (const group of this.groups.values()) {
      if (slices.isOver) await slices.next()
      ranked.push(order.rank(group))
    }
    const sorted = await sortInSlices(ranked, order.compare, slices)
    const page: SpendGroup[] = []
    for (const { group } of sorted.slice(offset, offset + limit)) {
      if (slices.isOver) await slices.next()
      page.push(this.toLine(group))
    }
    return page
  }

  private toLine({ keys: { interval, ...others }, total }: Group): SpendGroup {
    const begin = typeof interval === 'number' ? { interval: this.timeZone.formatTime(interval) } : {}
    return { ...others, ...begin, ...total.toGroup() } as SpendGroup // keys other than `interval` are text
  }

  private findGroup(calls: SpentCalls, model: string, provider: string | null): Group {
    const values: Record<SpendKey, () => string | number | null> = {
      model: () => model,
      provider: () => provider,
      op_name: () => calls.opName,
      user: () => calls.userId,
      thread_id: () => calls.threadId,
      interval: () => this.startOfInterval(calls.startedAt),
    }
    const keys = this.keys.map((key) => [key, values[key]()] as const)
    // A null is no text.
    const id = toCompoundKey(...keys.map(([, value]) => (value === null ? '' : `=${value}`)))
    const known = this.groups.get(id)
    if (known) return known
    requireFewGroups(this.groups.size + 1)
    const group = { keys: Object.fromEntries(keys), total: new GroupTotal(this.references) }
    this.groups.set(id, group)
    return group
  }

  private startOfInterval(startedAt: string): number {
    return this.timeZone.startOf(this.request.interval ?? 'hour', Math.floor(Date.parse(startedAt) / 1000))
  }
}

function requireFewGroups(count: number): void {
  if (count <= maxGroups) return
  throw new HttpError('invalid', {
    loc: ['body', 'group_by'],
    msg: `These are more than ${formatLimit(maxGroups)} groups. Group by fewer keys, or narrow the filter.`,
    type: 'answer_too_large',
  })
}

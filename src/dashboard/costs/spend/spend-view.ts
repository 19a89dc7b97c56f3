import { parseInstant } from '../../../contract/instant'
import {
  enumParam,
  type ParamValues,
  stringListParam,
  stringParam,
  tableParams,
  validStringParam,
} from '../../table/view/url-params'

/** What spend can be grouped and filtered by, in the order of a search for a cause. */
export const spendGroups = [
  { value: 'model', label: 'Model', param: 'model', filter: 'models' },
  { value: 'provider', label: 'Provider', param: 'provider', filter: 'providers' },
  { value: 'op_name', label: 'Operation', param: 'op', filter: 'op_names' },
  { value: 'user', label: 'User', param: 'user', filter: 'users' },
  { value: 'thread_id', label: 'Thread', param: 'thread', filter: 'thread_ids' },
] as const
export type SpendGroupKey = (typeof spendGroups)[number]['value']

/** The figures that the wire sorts by, beside the key of the grouping. */
export const sortableFigures = [
  'total',
  'call_count',
  'prompt_tokens',
  'completion_tokens',
  'cache_read_input_tokens',
  'cache_creation_input_tokens',
  'unpriced_call_count',
] as const

export const maxReferenceModels = 4
const referenceColumnIds = Array.from({ length: maxReferenceModels }, (_, index) => `what_if_${index + 1}`)

const isInstant = (text: string) => typeof parseInstant(text) === 'bigint'
const maxFilterValues = 100

/** The URL parameters of the Spend view. Times are instants; `after` belongs to the window, `before` does not. */
export const spendParams = {
  ...tableParams(
    [...spendGroups.map(({ value }) => value), ...sortableFigures, 'share', 'blended', 'trend', ...referenceColumnIds],
    [{ id: 'total', direction: 'desc' }],
  ),
  window: enumParam(['24h', '7d', '30d'], '30d'),
  after: validStringParam(isInstant),
  before: validStringParam(isInstant),
  group: enumParam(
    spendGroups.map(({ value }) => value),
    'model',
  ),
  model: stringListParam(maxFilterValues),
  provider: stringListParam(maxFilterValues),
  op: stringListParam(maxFilterValues),
  user: stringListParam(maxFilterValues),
  thread: stringListParam(maxFilterValues),
  /** What the bars of the chart are as high as. */
  bars: { ...enumParam(['spend', 'tokens', 'calls'], 'spend'), keepsPage: true },
  /** The currency of the chart; '' is the first one. */
  currency: { ...stringParam(100), keepsPage: true },
  /** Reference models: name and provider in turn. */
  whatif: { ...stringListParam(2 * maxReferenceModels), keepsPage: true },
}
export type SpendView = ParamValues<typeof spendParams>

export const noSpendFilters = { model: [], provider: [], op: [], user: [], thread: [] } as const satisfies Partial<SpendView>

export function hasSpendFilters(view: SpendView): boolean {
  return spendGroups.some(({ param }) => view[param].length > 0)
}

/** A model whose price is applied to all calls. Without a provider, its maker's price. */
export type ReferenceModel = { llm_id: string; provider_id?: string }

export function readReferenceModels({ whatif }: Pick<SpendView, 'whatif'>): ReferenceModel[] {
  return whatif.flatMap((llm_id, index) => {
    if (index % 2 === 1 || llm_id === '') return []
    const provider_id = whatif[index + 1]
    return [{ llm_id, ...(provider_id && { provider_id }) }]
  })
}

export function writeReferenceModels(models: readonly ReferenceModel[]): string[] {
  return models.flatMap(({ llm_id, provider_id = '' }) => [llm_id, provider_id])
}

/**
 * The change of the view that narrows spend to one group, and groups what is left by the next key that says more.
 *
 * @example narrowTo('model', 'gpt-4o', view) // { model: ['gpt-4o'], group: 'op_name' }
 */
export function narrowTo(group: SpendGroupKey, value: string, view: SpendView): Partial<SpendView> {
  const { param } = findGroup(group)
  const next = nextGroups.find((key) => key !== group && view[findGroup(key).param].length === 0) ?? 'thread_id'
  return { [param]: [value], group: next, sort: spendParams.sort.defaultValue }
}

const nextGroups = ['model', 'op_name', 'thread_id'] as const

/** What a group is called whose calls name none. */
export function formatUnnamed(key: SpendGroupKey): string {
  return `no ${findGroup(key).label.toLowerCase()} named`
}

export function findGroup(key: SpendGroupKey) {
  return spendGroups.find(({ value }) => value === key) ?? spendGroups[0]
}

import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useDeferredValue, useState } from 'react'
import type { Operand, Operation } from '../../../contract/expression'
import { type ReceivedCost, ReceivedCost as CostRow, receiveCosts } from '../../../contract/received-costs'
import { useConnection } from '../../client/connection-context'
import { listedRows } from '../../client/row-source'
import { ForeignText } from '../../format/ForeignText'
import { formatPrice } from '../../format/money'
import type { SetView } from '../../table/view/use-url-state'
import { Button } from '../../ui/Button'
import { Checkbox } from '../../ui/Checkbox'
import { SearchInput } from '../../ui/SearchInput'
import { maxReferenceModels, readReferenceModels, type ReferenceModel, type SpendView, writeReferenceModels } from './spend-view'

const prices = listedRows(receiveCosts, CostRow, ({ results }) => results)

// A search narrows more models than these: nobody reads so many lines.
const maxRecords = 300
const maxLines = 60

type Props = { view: SpendView; setView: SetView<SpendView> }

/** Chooses reference models: what would the same calls have cost on them? */
export function WhatIfPicker({ view, setView }: Props) {
  const connection = useConnection()
  const [openedAt] = useState(() => new Date().toISOString())
  const [search, setSearch] = useState('')
  const { data, error } = useQuery({
    ...prices.toQuery(
      {
        project_id: connection.projectId,
        query: { $expr: { $and: toConditions(useDeferredValue(search), openedAt) } },
        fields: ['llm_id', 'provider_id', 'prompt_token_cost', 'completion_token_cost', 'effective_date'],
        sort_by: [
          { field: 'llm_id', direction: 'asc' },
          { field: 'provider_id', direction: 'asc' },
          { field: 'effective_date', direction: 'desc' },
        ],
        limit: maxRecords,
      },
      connection,
    ),
    placeholderData: keepPreviousData,
  })
  const chosen = readReferenceModels(view)
  const isExact = ({ llm_id }: ReferenceModel) => llm_id === search.trim()
  const isFull = chosen.length >= maxReferenceModels
  const found = listModels(data?.rows ?? [])
    .filter(({ model }) => !chosen.some((each) => isSame(each, model)))
    .toSorted((left, right) => Number(isExact(right.model)) - Number(isExact(left.model)))
  const set = (models: readonly ReferenceModel[]) => setView({ whatif: writeReferenceModels(models) })
  return (
    <div className="flex w-80 max-w-full flex-col gap-2 p-2">
      <p className="px-1 text-quiet">
        What the same calls would have cost on up to four other models, at the prices of their time, caches included.
      </p>
      <SearchInput label="Search models" value={search} onChange={setSearch} />
      <ul className="max-h-72 overflow-y-auto" aria-label="Models">
        {chosen.map((model) => (
          <li key={`${model.llm_id} ${model.provider_id}`} className="rounded-md px-1 py-1 hover:bg-hover">
            <Checkbox
              label={<ModelLabel model={model} />}
              className="[&>span]:flex-1"
              checked
              onChange={() => set(chosen.filter((each) => !isSame(each, model)))}
            />
          </li>
        ))}
        {found.slice(0, maxLines).map(({ model, cost }) => (
          <li key={`${model.llm_id} ${model.provider_id}`} className="rounded-md px-1 py-1 hover:bg-hover">
            <Checkbox
              label={<ModelLabel model={model} price={formatPrices(cost)} />}
              className="[&>span]:flex-1"
              checked={false}
              disabled={isFull}
              onChange={() => set([...chosen, model])}
            />
          </li>
        ))}
      </ul>
      <p className="px-1 text-xs text-quiet" aria-live="polite">
        {error ? `The prices could not be read. ${error.message}` : describeFound(found.length, data === undefined, isFull)}
      </p>
      {chosen.length > 0 && (
        <Button icon="x" onClick={() => set([])}>
          No comparison
        </Button>
      )}
    </div>
  )
}

function describeFound(count: number, isReading: boolean, isFull: boolean): string {
  if (isFull) return 'Four models are chosen. Remove one to choose another.'
  if (isReading) return 'Reading the prices…'
  if (count === 0) return 'No model matches.'
  return `${count > maxLines ? `The first ${maxLines} models: search for others. ` : ''}Prices: prompt / completion per 1M.`
}

/** Records of the words' models and providers that have started. */
function toConditions(search: string, now: string): Operation[] {
  const field = (name: string): Operand => ({ $getField: name })
  const contains = (name: string, word: string): Operation => ({
    $contains: { input: field(name), substr: { $literal: word }, case_insensitive: true },
  })
  const words = search.split(/\s+/).filter(Boolean)
  return [
    // The end of the day: the same request all day.
    { $lte: [field('effective_date'), { $literal: `${now.slice(0, 10)}T23:59:59Z` }] },
    ...words.map((word): Operation => ({ $or: [contains('llm_id', word), contains('provider_id', word)] })),
  ]
}

/** One line for each model and provider: the newest record comes first. */
function listModels(records: readonly ReceivedCost[]): { model: ReferenceModel; cost: ReceivedCost }[] {
  const models = new Map<string, { model: ReferenceModel; cost: ReceivedCost }>()
  for (const cost of records) {
    const { llm_id, provider_id } = cost
    if (llm_id === null) continue
    const key = JSON.stringify([llm_id, provider_id])
    if (!models.has(key)) models.set(key, { model: { llm_id, ...(provider_id && { provider_id }) }, cost })
  }
  return [...models.values()]
}

function formatPrices({ prompt_token_cost, completion_token_cost }: ReceivedCost): string {
  return `${formatPrice(prompt_token_cost, '1M').text} / ${formatPrice(completion_token_cost, '1M').text}`
}

function ModelLabel({ model, price }: { model: ReferenceModel; price?: string }) {
  return (
    <span className="flex justify-between gap-3">
      <span className="min-w-0 break-words">
        <ForeignText text={model.llm_id} />
        {model.provider_id && (
          <span className="block text-xs text-quiet">
            <ForeignText text={model.provider_id} />
          </span>
        )}
      </span>
      {price && <span className="text-xs whitespace-nowrap text-quiet tabular-nums">{price}</span>}
    </span>
  )
}

function isSame(left: ReferenceModel, right: ReferenceModel): boolean {
  return left.llm_id === right.llm_id && left.provider_id === right.provider_id
}

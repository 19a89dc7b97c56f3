import { standardSchemaResolver } from '@hookform/resolvers/standard-schema'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useDeferredValue, useEffect, useMemo, useRef, useState } from 'react'
import { useForm, useWatch } from 'react-hook-form'
import { isCatalogCost } from '../../../contract/compare-prices'
import type { NewCost } from '../../../contract/new-cost'
import { createCosts } from '../../../contract/cost-writes'
import { defaultProvider, toComparableValues } from '../../../contract/price-files/compare-with-stored'
import { type ReceivedCost, receiveCosts } from '../../../contract/received-costs'
import { ValidationError } from '../../client/api-error'
import { useConnection } from '../../client/connection-context'
import { fetchJson } from '../../client/fetch-json'
import { refetchOperation } from '../../client/refetch-operation'
import { usePreferences } from '../../format/preferences'
import { formatVisibleText } from '../../format/visible-text'
import { Banner } from '../../ui/Banner'
import { Button } from '../../ui/Button'
import { ErrorSummary, type SummaryItem } from '../../ui/ErrorSummary'
import { Field } from '../../ui/Field'
import { Segmented } from '../../ui/Segmented'
import { TextInput } from '../../ui/TextInput'
import { findCostInForce } from '../records/costs-in-force'
import { priceFields, selectReferences } from '../records/likely-unit-error'
import { modelCostsQuery } from '../records/model-costs-query'
import { hasCachePrices } from '../records/service-fields'
import { findPriceQuestions } from './find-price-questions'
import { PriceAmountField } from './PriceAmountField'
import { type PriceDraft, priceFormSchema, toEffectiveDate, toNewCost, toServerErrors } from './price-form'
import { SendFailure } from './SendFailure'
import { StartFields } from './StartFields'

export type WrittenPrice = { id: string; model: string; cost: NewCost }

type Props = {
  defaultValues: PriceDraft
  /** The record that is corrected. */
  corrected: ReceivedCost | undefined
  models: readonly string[]
  onChange: (draft: PriceDraft) => void
  onDiscard: () => void
  onWritten: (price: WrittenPrice) => void
}

/** What must be confirmed by a second press: prices that are likely wrong, or what somebody else recorded meanwhile. */
type Confirmation = { draft: string; questions: readonly string[]; others: readonly ReceivedCost[] }

const units = [
  { value: '1M', label: '1M tokens' },
  { value: '1K', label: '1K tokens' },
  { value: 'token', label: '1 token' },
] as const

/** Records one price. Nothing is changed or lost by it: a price is a record of its own, and the newest applies. */
export function PriceForm({ defaultValues, corrected, models, onChange, onDiscard, onWritten }: Props) {
  const connection = useConnection()
  const queryClient = useQueryClient()
  const { zone } = usePreferences()
  const [openedAt] = useState(() => new Date().toISOString())
  const schema = useMemo(() => priceFormSchema(zone), [zone])
  const form = useForm({ defaultValues, resolver: standardSchemaResolver(schema), mode: 'onTouched', shouldFocusError: false })
  const { errors, isSubmitting, submitCount } = form.formState
  const values = useWatch({ control: form.control, compute: (all: PriceDraft) => ({ ...all }) })

  // The records of the model that is typed: what its price was, and what it is elsewhere.
  const model = useDeferredValue(values.model.trim())
  const query = useQuery({ ...modelCostsQuery(model, connection), enabled: model !== '' })
  const records = useMemo(() => query.data?.rows.filter(({ llm_id }) => llm_id === model) ?? [], [query.data, model])
  const provider = values.provider.trim() || defaultProvider
  const startsAt = toEffectiveDate(values, { zone, recordDate: corrected?.effective_date }) ?? openedAt
  const before = corrected ?? findPriceBefore(records, provider, startsAt)
  const others = selectReferences(records, corrected?.id)

  const [confirmation, setConfirmation] = useState<Confirmation>()
  // The ids of all records of the model when the person began, so that those of others are noticed.
  const knownIds = useRef<{ model: string; ids: Set<string | null> }>(undefined)
  useEffect(() => {
    if (query.data?.isComplete && knownIds.current?.model !== model) {
      knownIds.current = { model, ids: new Set(records.map(({ id }) => id)) }
    }
  }, [query.data, model, records])

  const create = useMutation({
    mutationFn: (sent: PriceDraft) => {
      const cost = toNewCost(sent, { zone, recordDate: corrected?.effective_date })
      return fetchJson(createCosts, { project_id: connection.projectId, costs: { [sent.model.trim()]: cost } }, { connection })
    },
  })
  const send = async (sent: PriceDraft) => {
    const cost = toNewCost(sent, { zone, recordDate: corrected?.effective_date })
    const questions = findPriceQuestions(cost, others)
    const newer = await findNewRecords(sent.model.trim())
    const draft = JSON.stringify(sent)
    if (confirmation?.draft !== draft || newer.length > 0) {
      if (questions.length > 0 || newer.length > 0) return setConfirmation({ draft, questions, others: newer })
    }
    setConfirmation(undefined)
    try {
      const { ids } = await create.mutateAsync(sent)
      await refetchOperation(queryClient, receiveCosts)
      onWritten({ id: ids[0]?.[0] ?? '', model: sent.model.trim(), cost })
    } catch (error) {
      if (!(error instanceof ValidationError) || error.problems.length === 0) return
      const problems = toServerErrors(error.problems)
      for (const [field, message] of problems.fields) form.setError(field, { type: 'server', message })
      for (const [index, message] of problems.others.entries()) form.setError(`root.${index}`, { type: 'server', message })
    }
  }

  /** The project's records of the model that came since the person began. Two people who correct at once see each other. */
  const findNewRecords = async (name: string, throwOnError = false): Promise<ReceivedCost[]> => {
    // Without an answer nothing is known of others, and a price is a record of its own anyway.
    const { data } = await query.refetch({ throwOnError })
    const rows = data?.rows.filter(({ llm_id }) => llm_id === name) ?? []
    const known = knownIds.current?.model === name ? knownIds.current.ids : undefined
    knownIds.current = { model: name, ids: new Set(rows.map(({ id }) => id)) }
    return known ? rows.filter((cost) => !known.has(cost.id) && !isCatalogCost(cost)) : []
  }

  /** After a request whose reply was lost: whether the price is recorded. */
  const check = async () => {
    const sent = form.getValues()
    const cost = toNewCost(sent, { zone, recordDate: corrected?.effective_date })
    const found = (await findNewRecords(sent.model.trim(), true)).find(
      (record) =>
        toComparableValues(record) === toComparableValues(cost) &&
        (record.provider_id ?? '') === (cost.provider_id ?? defaultProvider),
    )
    if (!found) return false
    await refetchOperation(queryClient, receiveCosts)
    onWritten({ id: found.id ?? '', model: sent.model.trim(), cost })
    return true
  }

  // The draft outlives the page: storage is outside React.
  useEffect(() => form.subscribe({ formState: { values: true }, callback: (state) => onChange(state.values) }), [form, onChange])
  const summary = useRef<HTMLDivElement>(null)
  const question = useRef<HTMLDivElement>(null)
  // Focus belongs to the document. Only a submit moves it.
  useEffect(() => {
    if (submitCount > 0) summary.current?.focus()
  }, [submitCount])
  useEffect(() => {
    if (confirmation) question.current?.focus()
  }, [confirmation])

  const isNamed = defaultValues.model !== ''
  useEffect(() => {
    form.setFocus(isNamed ? 'prompt_token_cost' : 'model')
  }, [form, isNamed])

  const isConfirming = confirmation?.draft === JSON.stringify(values)
  const items: SummaryItem[] = [
    ...Object.entries(fieldLabels).flatMap(([name, label]) => {
      const error = errors[name as keyof PriceDraft] // the keys of a record of fields are fields
      return error?.message ? [{ targetId: `price-${name}`, text: `${label}: ${error.message}` }] : []
    }),
    ...Object.values(errors.root ?? {}).flatMap((error) =>
      typeof error === 'object' && error.message ? [{ targetId: undefined, text: error.message }] : [],
    ),
  ]
  const providers = [...new Set(records.flatMap(({ provider_id: id }) => id ?? []))].toSorted()
  const fields = hasCachePrices(connection) ? priceFields : priceFields.slice(0, 2)

  return (
    // The presses of all its buttons are handled here.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- see above
    <form
      noValidate
      aria-label={corrected ? 'Correct a price' : 'Add a price'}
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        if (!isSubmitting) void form.handleSubmit(send)()
      }}
      // A press must not take the focus: a message that appears on blur would move the button away from the pointer.
      onMouseDown={(event) => {
        if (event.target instanceof Element && event.target.closest('button')) event.preventDefault()
      }}
    >
      {submitCount > 0 && items.length > 0 && (
        <ErrorSummary ref={summary} items={items.map((item) => ({ ...item, text: formatVisibleText(item.text) }))} />
      )}
      <div className="grid gap-x-4 gap-y-3 sm:grid-cols-[minmax(0,1fr)_minmax(0,11rem)_5rem]">
        <Field id="price-model" label="Model" error={errors.model?.message}>
          {(control) => (
            <TextInput {...control} {...form.register('model')} list="price-models" readOnly={corrected !== undefined} />
          )}
        </Field>
        <Field id="price-provider" label="Provider" isOptional error={errors.provider?.message}>
          {(control) => (
            <TextInput {...control} {...form.register('provider')} list="price-providers" placeholder={defaultProvider} />
          )}
        </Field>
        <Field id="price-currency" label="Currency" error={errors.currency?.message}>
          {(control) => <TextInput {...control} {...form.register('currency')} />}
        </Field>
        <datalist id="price-models">
          {models.map((name) => (
            <option key={name}>{name}</option>
          ))}
        </datalist>
        <datalist id="price-providers">
          {providers.map((name) => (
            <option key={name}>{name}</option>
          ))}
        </datalist>
      </div>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <span>Prices per</span>
        <Segmented label="Prices per" value={values.unit} options={units} onChange={(unit) => form.setValue('unit', unit)} />
      </div>
      <div className="grid gap-x-4 gap-y-3 sm:grid-cols-2">
        {fields.map(({ field, label, unitField }) => (
          <PriceAmountField
            key={field}
            name={field}
            label={label}
            isOptional={field.startsWith('cache')}
            text={values[field]}
            unit={values.unit}
            currency={values.currency.trim()}
            before={before?.[unitField] === values.currency.trim() ? before[field] : undefined}
            beforeLabel={!before || (before.provider_id ?? defaultProvider) === provider ? 'was' : `at ${before.provider_id}`}
            others={others}
            error={errors[field]?.message}
            register={form.register(field)}
            onReplace={(text) => form.setValue(field, text, { shouldValidate: true, shouldDirty: true })}
          />
        ))}
      </div>
      {fields.length > 2 && (
        <p className="text-xs text-quiet">Without a price of their own, cached tokens cost as much as the prompt.</p>
      )}
      <StartFields
        start={values.start}
        recordDate={corrected?.effective_date ?? undefined}
        error={errors.startText?.message}
        startText={values.startText}
        register={form.register('startText')}
        onChange={(start) => form.setValue('start', start)}
      />
      {isConfirming && (
        <div ref={question} tabIndex={-1} className="outline-none">
          <Banner tone="warn" title={confirmation.questions.length > 0 ? 'Is this right?' : 'Somebody else was here'}>
            <ul>
              {confirmation.questions.map((text) => (
                <li key={text}>{text}</li>
              ))}
              {confirmation.others.map((cost) => (
                <li key={cost.id}>{`Meanwhile another price of ${cost.llm_id} was recorded: ${describeRecord(cost)}.`}</li>
              ))}
            </ul>
            {confirmation.others.length > 0 && <p>Nothing of it is lost if you continue: both records stay.</p>}
          </Banner>
        </div>
      )}
      {create.error && !isSubmitting && items.length === 0 && <SendFailure error={create.error} what="price" onCheck={check} />}
      <div className="flex flex-wrap items-center gap-2">
        <Button type="submit" variant="primary" isBusy={isSubmitting}>
          {isSubmitting
            ? 'Recording…'
            : isConfirming
              ? 'Record it anyway'
              : corrected
                ? 'Record the correction'
                : 'Record the price'}
        </Button>
        <Button variant="quiet" onClick={onDiscard}>
          Discard
        </Button>
        <span className="text-xs text-quiet">
          {corrected
            ? 'The record stays in the history; the correction counts from the date above.'
            : 'Your prices count before those of the catalog, whatever the provider.'}
        </span>
      </div>
    </form>
  )
}

const fieldLabels: Partial<Record<keyof PriceDraft, string>> = {
  model: 'Model',
  provider: 'Provider',
  currency: 'Currency',
  prompt_token_cost: 'Prompt',
  completion_token_cost: 'Completion',
  cache_read_input_token_cost: 'Cached read',
  cache_creation_input_token_cost: 'Cache write',
  startText: 'From',
}

/** The price that a new one replaces: of the same provider, or where it has none, the one that calls are priced by. */
function findPriceBefore(records: readonly ReceivedCost[], provider: string, at: string): ReceivedCost | undefined {
  return (
    findCostInForce(
      records.filter(({ provider_id: id }) => (id ?? defaultProvider) === provider),
      at,
    ) ?? findCostInForce(records, at)
  )
}

function describeRecord({ provider_id: provider, prompt_token_cost: prompt, completion_token_cost: completion }: ReceivedCost) {
  return `${prompt ?? 'not set'} and ${completion ?? 'not set'} per token at ${provider ?? 'no provider'}`
}

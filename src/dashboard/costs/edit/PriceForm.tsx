import { standardSchemaResolver } from '@hookform/resolvers/standard-schema'
import { useEffect, useMemo, useRef, useState } from 'react'
import { type FieldErrors, useForm, useWatch } from 'react-hook-form'
import { defaultProvider } from '../../../contract/price-files/compare-with-stored'
import type { ReceivedCost } from '../../../contract/received-costs'
import { useConnection } from '../../client/connection-context'
import { usePreferences } from '../../format/preferences'
import { formatVisibleText } from '../../format/visible-text'
import type { PriceUnit } from '../../format/money'
import { Button } from '../../ui/Button'
import { ErrorSummary, type SummaryItem } from '../../ui/ErrorSummary'
import { Segmented } from '../../ui/Segmented'
import { findCostInForce } from '../records/costs-in-force'
import { earlierCallsText, isForEarlierCalls } from '../records/earlier-calls'
import { priceFields, selectReferences } from '../records/likely-unit-error'
import { hasCachePrices } from '../records/service-fields'
import { ModelFields } from './ModelFields'
import { PriceAmountField } from './PriceAmountField'
import { PriceConfirmation } from './PriceConfirmation'
import { convertPriceText, isSameDraft, type PriceDraft, priceFormSchema, toEffectiveDate } from './price-form'
import { SendFailure } from './SendFailure'
import { StartFields } from './StartFields'
import { useModelRecords } from './use-model-records'
import { useRecordPrice, type WrittenPrice } from './use-record-price'

type Props = {
  defaultValues: PriceDraft
  /** The record that is corrected. */
  corrected: ReceivedCost | undefined
  models: readonly string[]
  onChange: (draft: PriceDraft) => void
  onDiscard: () => void
  onWritten: (price: WrittenPrice) => void
}

const units = [
  { value: '1M', label: '1M tokens' },
  { value: '1K', label: '1K tokens' },
  { value: 'token', label: '1 token' },
] as const

/** Records one price. Nothing is changed or lost by it: a price is a record of its own, and the newest applies. */
export function PriceForm({ defaultValues, corrected, models, onChange, onDiscard, onWritten }: Props) {
  const connection = useConnection()
  const { zone } = usePreferences()
  const [openedAt] = useState(() => new Date().toISOString())
  const schema = useMemo(() => priceFormSchema(zone), [zone])
  const form = useForm({ defaultValues, resolver: standardSchemaResolver(schema), mode: 'onTouched', shouldFocusError: false })
  const { errors, isSubmitting, submitCount } = form.formState
  const values = useWatch({ control: form.control, compute: (all: PriceDraft) => ({ ...all }) })

  // The records of the model that is typed: what its price was, and what it is elsewhere.
  const { records, isKnown, findNewRecords } = useModelRecords(values.model)
  const provider = values.provider.trim() || defaultProvider
  const startsAt = toEffectiveDate(values, { zone, recordDate: corrected?.effective_date }) ?? openedAt
  const before = corrected ?? findPriceBefore(records, provider, startsAt)
  const references = selectReferences(records, corrected?.id)
  // Of records with one date the greatest id is the newest.
  const isForEarlier = isForEarlierCalls({ id: '~', effective_date: startsAt }, records)
  const earlier = !isKnown ? '' : isForEarlier ? earlierCallsText : 'earlier calls keep their price'
  const { send, check, confirmation, error } = useRecordPrice({ form, corrected, references, earlier, findNewRecords, onWritten })

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

  const isConfirming = confirmation !== undefined && isSameDraft(confirmation.draft, values)
  const items = listErrors(errors)
  const providers = [...new Set(records.flatMap(({ provider_id: id }) => id ?? []))].toSorted()
  const fields = hasCachePrices(connection) ? priceFields : priceFields.slice(0, 2)
  const changeUnit = (unit: PriceUnit) => {
    for (const { field } of priceFields) form.setValue(field, convertPriceText(values[field], values.unit, unit))
    form.setValue('unit', unit)
  }

  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- it handles the presses of all its buttons
    <form
      noValidate
      aria-label={corrected ? 'Correct a price' : 'Add a price'}
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        if (!isSubmitting) void form.handleSubmit(send)()
      }}
      // A press must not take the focus: a message that appears on blur would move the button or choice away from the pointer.
      onMouseDown={(event) => {
        if (event.target instanceof Element && event.target.closest('button, label')) event.preventDefault()
      }}
    >
      {submitCount > 0 && items.length > 0 && (
        <ErrorSummary ref={summary} items={items.map((item) => ({ ...item, text: formatVisibleText(item.text) }))} />
      )}
      <ModelFields form={form} isModelFixed={corrected !== undefined} models={models} providers={providers} />
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <span>Prices per</span>
        <Segmented label="Prices per" value={values.unit} options={units} onChange={changeUnit} />
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
            beforeLabel={
              !before || (before.provider_id ?? defaultProvider) === provider
                ? 'was'
                : `at ${formatVisibleText(before.provider_id ?? 'no provider')}`
            }
            others={references}
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
        earlier={earlier}
      />
      {isConfirming && <PriceConfirmation ref={question} questions={confirmation.questions} others={confirmation.others} />}
      {error && !isSubmitting && items.length === 0 && <SendFailure error={error} what="price" onCheck={check} />}
      <p className="text-xs text-quiet">
        {corrected
          ? 'The record stays in the history; the correction counts from the date above.'
          : 'Your prices count before those of the catalog, whatever the provider.'}
      </p>
      <div className="flex flex-wrap justify-end gap-2">
        <Button variant="quiet" onClick={onDiscard}>
          Discard
        </Button>
        <Button type="submit" variant="primary" isBusy={isSubmitting}>
          {isSubmitting
            ? 'Recording…'
            : isConfirming
              ? 'Record it anyway'
              : corrected
                ? 'Record the correction'
                : 'Record the price'}
        </Button>
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

function listErrors(errors: FieldErrors<PriceDraft>): SummaryItem[] {
  return [
    ...Object.entries(fieldLabels).flatMap(([name, label]) => {
      const error = errors[name as keyof PriceDraft] // the keys of a record of fields are fields
      return error?.message ? [{ targetId: `price-${name}`, text: `${label}: ${error.message}` }] : []
    }),
    ...Object.values(errors.root ?? {}).flatMap((error) =>
      typeof error === 'object' && error.message ? [{ targetId: undefined, text: error.message }] : [],
    ),
  ]
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

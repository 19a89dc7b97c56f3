import type { UseFormRegisterReturn } from 'react-hook-form'
import type { ReceivedCost } from '../../../contract/received-costs'
import { formatPrice, type PriceUnit } from '../../format/money'
import { formatPriceChange } from '../../format/price-change'
import { Button } from '../../ui/Button'
import { Field } from '../../ui/Field'
import { TextInput } from '../../ui/TextInput'
import { findReferencePrice, findUnitError, type PriceField } from '../records/likely-unit-error'
import { formatFactor } from './find-price-questions'
import { parsePriceText, toPriceText } from './price-form'
import { parseDecimal } from '../../../contract/price-files/parse-decimal'

type Props = {
  name: PriceField
  label: string
  isOptional: boolean
  text: string
  unit: PriceUnit
  currency: string
  /** The price per token that was in force, where it has the same currency. */
  before: number | null | undefined
  /** "was", or at which provider it was. */
  beforeLabel: string
  /** The other records of the model. */
  others: readonly ReceivedCost[]
  error: string | undefined
  register: UseFormRegisterReturn
  onReplace: (text: string) => void
}

/** One price: what it was, how much it changes, and a way out where its unit is likely wrong. */
export function PriceAmountField({
  name,
  label,
  isOptional,
  text,
  unit,
  currency,
  before,
  beforeLabel,
  others,
  error,
  register,
  onReplace,
}: Props) {
  const price = parsePriceText(text, unit)
  const reference = findReferencePrice(others, name, currency)
  const power = price === undefined || reference === undefined ? 0 : findUnitError(price, reference)
  const corrected = power === 0 ? undefined : parseDecimal(text.trim(), -power)
  return (
    <Field
      id={`price-${name}`}
      label={label}
      isOptional={isOptional}
      error={error}
      warning={power === 0 ? undefined : `About ${formatFactor(power)} this model’s price elsewhere.`}
      hint={<PriceBefore label={beforeLabel} before={before} price={price} unit={unit} />}
    >
      {(control) => (
        <>
          <TextInput {...control} {...register} inputMode="decimal" className="text-right tabular-nums" />
          {corrected !== undefined && (
            <Button className="self-end" onClick={() => onReplace(toPriceText(corrected, 'token'))}>
              {`Write ${toPriceText(corrected, 'token')}`}
            </Button>
          )}
        </>
      )}
    </Field>
  )
}

type BeforeProps = { label: string; before: number | null | undefined; price: number | undefined; unit: PriceUnit }

function PriceBefore({ label, before, price, unit }: BeforeProps) {
  if (before === undefined) return null
  const shown = formatPrice(before, unit)
  const change = price === undefined ? undefined : formatPriceChange(before, price)
  return `${label} ${shown.kind === 'amount' ? shown.exact : shown.text}${change === undefined ? '' : ` · ${change}`}`
}

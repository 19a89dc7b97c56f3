import { lazyPart } from '../../client/lazy-part'
import { FilterChip } from './FilterChip'

const ChoiceList = lazyPart(async () => (await import('../../ui/ChoiceList')).ChoiceList)

type Props<Value extends string> = {
  label: string
  value: Value
  choices: readonly { value: Value; label: string; hint?: string }[]
  /** The value that filters nothing: with it the chip shows the label of that choice. */
  unsetValue?: Value
  onChange: (value: Value) => void
}

/** A chip to choose one of a few values. */
export function ChoiceChip<Value extends string>({ label, value, choices, unsetValue, onChange }: Props<Value>) {
  const isSet = unsetValue !== undefined && value !== unsetValue
  const text = choices.find((choice) => choice.value === value)?.label
  return (
    <FilterChip label={label} value={value === unsetValue ? undefined : text} unsetText={text} isSet={isSet}>
      {(close) => (
        <ChoiceList
          label={label}
          value={value}
          choices={choices}
          close={close}
          onChoose={(next) => {
            const choice = choices.find((each) => each.value === next)
            if (choice) onChange(choice.value)
          }}
        />
      )}
    </FilterChip>
  )
}

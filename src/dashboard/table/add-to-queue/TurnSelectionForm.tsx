import type { ReactNode } from 'react'
import { maxItemsPerQueue, maxSeedLength } from '../../../contract/limits'
import { randomHex } from '../../client/random-hex'
import { formatCount } from '../../format/count'
import { Button } from '../../ui/Button'
import { Field } from '../../ui/Field'
import { Segmented } from '../../ui/Segmented'
import { Select } from '../../ui/Select'
import { TextInput } from '../../ui/TextInput'
import { strataLabels, turnLabels, type TurnSelection } from './evidence'

type Props = {
  selection: TurnSelection
  onChange: (change: Partial<TurnSelection>) => void
  selectedCount: number
  /** How many there are, shown below. */
  children: ReactNode
}

/** Which turns of the threads of a list are taken: all, or a sample that can be repeated. */
export function TurnSelectionForm({ selection, onChange, selectedCount, children }: Props) {
  const { scope, turns, isSample, size, seed, stratifyBy } = selection
  return (
    <fieldset className="flex min-w-0 flex-col gap-3">
      <legend className="mb-2 font-semibold">Which calls</legend>
      <div className="flex flex-wrap items-end gap-x-4 gap-y-3">
        {selectedCount > 0 && (
          <Segmented
            label="Threads"
            className="mb-1"
            value={scope}
            options={[
              { value: 'selected', label: `${formatCount(String(selectedCount))} selected` },
              { value: 'matching', label: 'All that match' },
            ]}
            onChange={(next) => onChange({ scope: next })}
          />
        )}
        <Field label="Turns">
          {(control) => <Options {...control} value={turns} labels={turnLabels} onChange={(next) => onChange({ turns: next })} />}
        </Field>
        <Segmented
          label="All or a sample"
          className="mb-1"
          value={isSample ? 'sample' : 'all'}
          options={[
            { value: 'all', label: 'All of them' },
            { value: 'sample', label: 'A sample' },
          ]}
          onChange={(next) => onChange({ isSample: next === 'sample' })}
        />
      </div>
      {isSample && (
        <div className="flex flex-wrap items-end gap-x-4 gap-y-3">
          <Field label="Size" className="w-24">
            {(control) => (
              <TextInput
                {...control}
                inputMode="numeric"
                value={String(size || '')}
                onChange={({ target }) => onChange({ size: toSize(target.value) })}
              />
            )}
          </Field>
          <Field label="Method">
            {(control) => (
              <Options
                {...control}
                value={stratifyBy}
                labels={strataLabels}
                onChange={(next) => onChange({ stratifyBy: next })}
              />
            )}
          </Field>
          <Field label="Seed" hint="The same seed takes the same calls." className="max-w-72">
            {(control) => (
              <span className="flex gap-2">
                <TextInput
                  {...control}
                  maxLength={maxSeedLength}
                  value={seed}
                  onChange={({ target }) => onChange({ seed: target.value })}
                />
                <Button onClick={() => onChange({ seed: newSeed() })}>New seed</Button>
              </span>
            )}
          </Field>
        </div>
      )}
      {children}
    </fieldset>
  )
}

/** Short, so that people can tell it to each other. */
export function newSeed(): string {
  return String(parseInt(randomHex(3), 16) % 100_000)
}

function toSize(text: string): number {
  return Math.min(maxItemsPerQueue, Number(text.replaceAll(/\D/g, '')))
}

type OptionsProps<Value extends string> = {
  id: string
  value: Value
  labels: Readonly<Record<Value, string>>
  onChange: (value: Value) => void
}

function Options<Value extends string>({ labels, onChange, ...control }: OptionsProps<Value>) {
  const values = Object.keys(labels) as Value[] // Object.keys() loses the type
  return (
    <Select
      {...control}
      className="max-w-full"
      onChange={({ target }) => onChange(values.find((value) => value === target.value) ?? control.value)}
    >
      {values.map((value) => (
        <option key={value} value={value}>
          {labels[value]}
        </option>
      ))}
    </Select>
  )
}

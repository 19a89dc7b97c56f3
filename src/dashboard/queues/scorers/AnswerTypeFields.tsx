import { formatVisibleText } from '../../format/visible-text'
import { Checkbox } from '../../ui/Checkbox'
import { Field } from '../../ui/Field'
import { Segmented } from '../../ui/Segmented'
import { TextInput } from '../../ui/TextInput'
import { ChoiceFields } from './ChoiceFields'
import { SchemaJson } from './SchemaJson'
import type { ScorerProblems, ScorerValues } from './scorer-values'

const types = [
  { value: 'boolean', label: 'Yes / no' },
  { value: 'category', label: 'Categories' },
  { value: 'number', label: 'Number' },
  { value: 'text', label: 'Text' },
] as const

const numberFields = [
  { field: 'min', label: 'From' },
  { field: 'max', label: 'To' },
  { field: 'step', label: 'Step' },
] as const

type Props = {
  values: ScorerValues
  problems: ScorerProblems
  /** Of the version that is edited: shown where the editor has no fields for it. */
  schemaBefore: unknown
  onChange: (changed: Partial<ScorerValues>) => void
}

/** What may be answered: the type, and the fields that belong to it. */
export function AnswerTypeFields({ values, problems, schemaBefore, onChange }: Props) {
  const fieldProps = (name: 'min' | 'max' | 'step' | 'maxLength') => ({
    value: values[name],
    onChange: ({ target }: { target: { value: string } }) => onChange({ [name]: target.value }),
  })
  if (values.type === 'other')
    return (
      <div>
        <p>This editor has no fields for these answers. They stay as they are.</p>
        <SchemaJson schema={schemaBefore} />
      </div>
    )
  return (
    <>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <Segmented label="Answer" value={values.type} options={types} onChange={(type) => onChange({ type })} />
        <Checkbox
          label="Required"
          checked={values.isRequired}
          onChange={({ target }) => onChange({ isRequired: target.checked })}
        />
      </div>
      {values.type === 'category' && (
        <ChoiceFields
          choices={values.choices}
          error={problems.choices && formatVisibleText(problems.choices)}
          onChange={(choices) => onChange({ choices })}
        />
      )}
      {values.type === 'number' && (
        <>
          <div className="grid gap-3 sm:grid-cols-3">
            {numberFields.map(({ field, label }) => (
              <Field key={field} id={`scorer-${field}`} label={label} isOptional error={problems[field]}>
                {(control) => <TextInput {...control} {...fieldProps(field)} inputMode="decimal" className="tabular-nums" />}
              </Field>
            ))}
          </div>
          <Checkbox
            label="Whole numbers only"
            checked={values.isWhole}
            onChange={({ target }) => onChange({ isWhole: target.checked })}
          />
        </>
      )}
      {values.type === 'text' && (
        <Field id="scorer-maxLength" label="Longest answer, in characters" isOptional error={problems.maxLength}>
          {(control) => <TextInput {...control} {...fieldProps('maxLength')} inputMode="numeric" className="max-w-32" />}
        </Field>
      )}
    </>
  )
}

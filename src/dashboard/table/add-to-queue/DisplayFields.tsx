import { Field } from '../../ui/Field'
import { TextInput } from '../../ui/TextInput'
import { findDisplayFieldsProblem } from './display-fields'

/** Which fields of the calls reviewers are shown. */
export function DisplayFields({ text, onChange }: { text: string; onChange: (text: string) => void }) {
  return (
    <Field
      label="Shown to reviewers"
      hint="Fields of a call, such as inputs.question, separated by commas."
      error={findDisplayFieldsProblem(text)}
    >
      {(control) => <TextInput {...control} value={text} onChange={({ target }) => onChange(target.value)} />}
    </Field>
  )
}

import type { UseFormReturn } from 'react-hook-form'
import { defaultProvider } from '../../../contract/price-files/compare-with-stored'
import { Field } from '../../ui/Field'
import { TextInput } from '../../ui/TextInput'
import type { PriceDraft } from './price-form'

type Props = {
  form: UseFormReturn<PriceDraft>
  isModelFixed: boolean
  /** What is suggested. */
  models: readonly string[]
  providers: readonly string[]
}

/** Which model a price is of, at which provider, in which currency. */
export function ModelFields({ form, isModelFixed, models, providers }: Props) {
  const { errors } = form.formState
  return (
    <div className="grid gap-x-4 gap-y-3 sm:grid-cols-[minmax(0,1fr)_minmax(0,11rem)_5rem]">
      <Field id="price-model" label="Model" error={errors.model?.message}>
        {(control) => <TextInput {...control} {...form.register('model')} list="price-models" readOnly={isModelFixed} />}
      </Field>
      <Field id="price-provider" label="Provider" isOptional error={errors.provider?.message}>
        {(control) => (
          <TextInput {...control} {...form.register('provider')} list="price-providers" placeholder={defaultProvider} />
        )}
      </Field>
      <Field id="price-currency" label="Currency" error={errors.currency?.message}>
        {(control) => <TextInput {...control} {...form.register('currency')} />}
      </Field>
      <Suggestions id="price-models" names={models} />
      <Suggestions id="price-providers" names={providers} />
    </div>
  )
}

function Suggestions({ id, names }: { id: string; names: readonly string[] }) {
  return (
    <datalist id={id}>
      {names.map((name) => (
        <option key={name}>{name}</option>
      ))}
    </datalist>
  )
}

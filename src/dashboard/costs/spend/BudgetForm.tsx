import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useId, useState } from 'react'
import { type BudgetState, readBudget, updateBudget } from '../../../contract/budget'
import { ValidationError } from '../../client/api-error'
import { useConnection } from '../../client/connection-context'
import { fetchJson } from '../../client/fetch-json'
import { refetchOperation } from '../../client/refetch-operation'
import { announce } from '../../ui/announce'
import { Button } from '../../ui/Button'
import { Field } from '../../ui/Field'
import { TextInput } from '../../ui/TextInput'

type Props = { budget: BudgetState['budget']; close: () => void }

/** Sets, changes or removes what the project may spend in a month. The service says what is wrong with an amount. */
export function BudgetForm({ budget, close }: Props) {
  const connection = useConnection()
  const queryClient = useQueryClient()
  const id = useId()
  const [amount, setAmount] = useState(budget?.amount ?? '')
  const [currency, setCurrency] = useState(budget?.currency ?? 'USD')
  const update = useMutation({
    mutationFn: (next: { amount?: string; currency?: string }) =>
      fetchJson(updateBudget, { project_id: connection.projectId, ...next }, { connection }),
    onSuccess: async (_, next) => {
      await refetchOperation(queryClient, readBudget)
      announce(next.amount === undefined ? 'The budget is removed.' : 'The budget is saved.')
      close()
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    update.mutate({ amount: amount.trim(), currency: currency.trim() || 'USD' })
  }
  const { error } = update
  const problems = error instanceof ValidationError ? error.problems : []
  const findProblem = (field: string) => problems.find(({ loc }) => loc.at(-1) === field)?.msg
  return (
    <form noValidate className="flex w-72 flex-col gap-2 p-3" onSubmit={submit}>
      <Field id={`${id}-amount`} label="Amount for each month" hint="such as 250" error={findProblem('amount')}>
        {(control) => (
          <TextInput
            {...control}
            inputMode="decimal"
            value={amount}
            onChange={({ target }) => setAmount(target.value)}
            className="text-right tabular-nums"
          />
        )}
      </Field>
      <Field id={`${id}-currency`} label="Currency" hint="as in the prices" error={findProblem('currency')}>
        {(control) => <TextInput {...control} value={currency} onChange={({ target }) => setCurrency(target.value)} />}
      </Field>
      <p className="text-xs text-quiet">Everyone with access to this project sees it. Nothing stops when it is exceeded.</p>
      {error && problems.length === 0 && (
        <p role="alert" className="text-bad break-words">{`Not saved, or not known to be. ${error.message}`}</p>
      )}
      <div className="flex justify-end gap-2">
        {budget && (
          <Button variant="danger" isBusy={update.isPending} onClick={() => update.mutate({})}>
            Remove
          </Button>
        )}
        <Button type="submit" variant="primary" isBusy={update.isPending}>
          Save
        </Button>
      </div>
    </form>
  )
}

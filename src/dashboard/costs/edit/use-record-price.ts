import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { UseFormReturn } from 'react-hook-form'
import { createCosts } from '../../../contract/cost-writes'
import type { NewCost } from '../../../contract/new-cost'
import { defaultProvider, toComparableValues } from '../../../contract/price-files/compare-with-stored'
import { type ReceivedCost, receiveCosts } from '../../../contract/received-costs'
import { ValidationError } from '../../client/api-error'
import { useConnection } from '../../client/connection-context'
import { fetchJson } from '../../client/fetch-json'
import { refetchOperation } from '../../client/refetch-operation'
import { usePreferences } from '../../format/preferences'
import { findPriceQuestions } from './find-price-questions'
import { isSameDraft, type PriceDraft, toNewCost, toServerErrors } from './price-form'
import type { Confirmation } from './PriceConfirmation'
import { changedNothing } from './write-outcome'
import type { useModelRecords } from './use-model-records'

export type WrittenPrice = {
  id: string
  model: string
  cost: NewCost
  /** What it means for the earlier calls; '' where it is not known. */
  earlier: string
  /** What others recorded of this model at the same moment. */
  meanwhile: readonly ReceivedCost[]
}

type Options = Pick<ReturnType<typeof useModelRecords>, 'findNewRecords'> & {
  form: UseFormReturn<PriceDraft>
  /** The record that is corrected. */
  corrected: ReceivedCost | undefined
  /** The records of the model that tell whether a price is plausible. */
  references: readonly ReceivedCost[]
  earlier: string
  onWritten: (price: WrittenPrice) => void
}

/** Records the price of a form, after what must be asked was asked. */
export function useRecordPrice({ form, corrected, references, earlier, findNewRecords, onWritten }: Options) {
  const connection = useConnection()
  const queryClient = useQueryClient()
  const { zone } = usePreferences()
  const [confirmation, setConfirmation] = useState<Confirmation>()
  const toCost = (draft: PriceDraft) => toNewCost(draft, { zone, recordDate: corrected?.effective_date })
  const [unsure] = useState(() => form.getValues('unsure'))
  const create = useMutation({
    mutationFn: (sent: PriceDraft) =>
      fetchJson(createCosts, { project_id: connection.projectId, costs: { [sent.model.trim()]: toCost(sent) } }, { connection }),
  })

  const finish = async (id: string, sent: PriceDraft) => {
    const model = sent.model.trim()
    // Of two who send at once neither saw the other before.
    const newer = await findNewRecords(model)
    await refetchOperation(queryClient, receiveCosts)
    onWritten({ id, model, cost: toCost(sent), earlier, meanwhile: newer.filter((record) => record.id !== id) })
  }

  const send = async (sent: PriceDraft) => {
    const questions = findPriceQuestions(toCost(sent), references)
    const newer = await findNewRecords(sent.model.trim())
    const isConfirmed = confirmation !== undefined && isSameDraft(confirmation.draft, sent)
    if (newer.length > 0 || (questions.length > 0 && !isConfirmed)) {
      return setConfirmation({ draft: sent, questions, others: newer })
    }
    setConfirmation(undefined)
    form.setValue('unsure', 'The page was closed before the reply came.')
    try {
      const { ids } = await create.mutateAsync(sent)
      await finish(ids[0]?.[0] ?? '', sent)
    } catch (error) {
      if (error instanceof Error) form.setValue('unsure', changedNothing(error) ? undefined : error.message)
      if (!(error instanceof ValidationError) || error.problems.length === 0) return
      const problems = toServerErrors(error.problems)
      for (const [field, message] of problems.fields) form.setError(field, { type: 'server', message })
      for (const [index, message] of problems.others.entries()) form.setError(`root.${index}`, { type: 'server', message })
    }
  }

  /** After a request whose reply was lost: whether the price is recorded. */
  const check = async () => {
    const sent = form.getValues()
    const cost = toCost(sent)
    // A draft of before a reload does not know which records are older.
    const found = (await findNewRecords(sent.model.trim(), { throwOnError: true, isAll: !create.error })).find(
      (record) =>
        toComparableValues(record) === toComparableValues(cost) &&
        (record.provider_id ?? '') === (cost.provider_id ?? defaultProvider),
    )
    if (!found) return false
    await finish(found.id ?? '', sent)
    return true
  }

  return { send, check, confirmation, error: create.error ?? (unsure ? new Error(unsure) : undefined) }
}

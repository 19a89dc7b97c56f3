import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { isCatalogCost } from '../../../contract/compare-prices'
import { createCosts } from '../../../contract/cost-writes'
import { type ReceivedCost, receiveCosts } from '../../../contract/received-costs'
import { useConnection } from '../../client/connection-context'
import { fetchJson } from '../../client/fetch-json'
import { refetchOperation } from '../../client/refetch-operation'
import { ForeignText } from '../../format/ForeignText'
import { formatDay } from '../../format/instant'
import { usePreferences } from '../../format/preferences'
import { formatVisibleText } from '../../format/visible-text'
import { Button } from '../../ui/Button'
import { findCostInForce } from '../records/costs-in-force'
import { modelCostsQuery } from '../records/model-costs-query'
import { describePrices } from './describe-prices'
import { SendFailure } from './SendFailure'
import { toNewCostOfRecord } from './to-new-cost-of-record'
import { useRemovePrice } from './use-remove-price'
import { moreIcons } from '../../ui/more-icons'

/** Removes a record of the project after it said which price then holds, and can bring it back. */
export function RemovePrice({ cost, onClose }: { cost: ReceivedCost; onClose: () => void }) {
  const connection = useConnection()
  const queryClient = useQueryClient()
  const { zone } = usePreferences()
  const remove = useRemovePrice()
  const [openedAt] = useState(() => new Date().toISOString())
  const restore = useMutation({
    mutationFn: async () => {
      const costs = { [cost.llm_id ?? '']: toNewCostOfRecord(cost) }
      await fetchJson(createCosts, { project_id: connection.projectId, costs }, { connection })
      await refetchOperation(queryClient, receiveCosts)
    },
  })
  const content = useRef<HTMLDivElement>(null)
  const writtenCount = Number(remove.isSuccess) + Number(restore.isSuccess)
  // The pressed button is replaced, so the words take the focus.
  useEffect(() => {
    if (writtenCount > 0) content.current?.focus()
  }, [writtenCount])

  const records = useQuery(modelCostsQuery([cost.llm_id ?? ''], connection)).data
  const rest = records?.rows.filter(({ llm_id, id }) => llm_id === cost.llm_id && id !== cost.id)
  const next = rest && findCostInForce(rest, openedAt)
  if (isCatalogCost(cost)) return <p>This record belongs to the built-in catalog, which nobody can change.</p>
  return (
    <div ref={content} tabIndex={-1} className="flex flex-col gap-3 outline-none">
      {restore.isSuccess ? (
        <p>The price is recorded again, with the same values and date and a new id.</p>
      ) : remove.isSuccess ? (
        <p>The price is removed.</p>
      ) : (
        <>
          <p className="break-words">
            <strong className="font-semibold">
              <ForeignText text={cost.llm_id ?? 'not set'} />
            </strong>
            {` at ${formatVisibleText(cost.provider_id ?? 'no provider')}: ${describePrices(cost)}, since ${cost.effective_date ? formatDay(cost.effective_date, zone) : 'always'}.`}
          </p>
          {rest && (
            <p>
              {next
                ? `Its calls are then priced by the ${isCatalogCost(next) ? 'catalog’s' : 'project’s'} price at ${formatVisibleText(next.provider_id ?? 'no provider')}: ${describePrices(next)}.`
                : 'No other price of this model is in force: its calls then have no price.'}
            </p>
          )}
        </>
      )}
      {remove.error && <SendFailure error={remove.error} what="removal" />}
      {restore.error && <SendFailure error={restore.error} what="price" />}
      <div className="flex flex-wrap justify-end gap-2">
        {remove.isSuccess ? (
          <>
            {!restore.isSuccess && (
              <Button icon={moreIcons.undo} isBusy={restore.isPending} onClick={() => restore.mutate()}>
                Undo
              </Button>
            )}
            <Button variant="primary" onClick={onClose}>
              Close
            </Button>
          </>
        ) : (
          <>
            <Button onClick={onClose}>Keep it</Button>
            <Button variant="danger" isBusy={remove.isPending} onClick={() => remove.mutate(cost.id ?? '')}>
              Remove this price
            </Button>
          </>
        )}
      </div>
    </div>
  )
}

import { useQuery } from '@tanstack/react-query'
import { type ReactNode, Suspense, useCallback, useMemo, useState } from 'react'
import { isCatalogCost } from '../../../contract/compare-prices'
import type { ReceivedCost } from '../../../contract/received-costs'
import { useConnection } from '../../client/connection-context'
import { lazyPart } from '../../client/lazy-part'
import { PartFallback } from '../../table/grid/PartFallback'
import { useUrlState } from '../../table/view/use-url-state'
import { Button } from '../../ui/Button'
import { Dialog } from '../../ui/Dialog'
import { costByIdQuery } from '../records/cost-by-id-query'
import { editParams } from './edit-params'
import { priceDraft } from './price-draft'
import { emptyDraft, type PriceDraft, toCorrection } from './price-form'
import { PriceForm } from './PriceForm'
import { RemovePrice } from './RemovePrice'
import type { WrittenPrice } from './use-record-price'
import { useTakesPrices } from './use-takes-prices'
import { WrittenNotice } from './WrittenNotice'

const ImportPrices = lazyPart(async () => (await import('../import/ImportPrices')).ImportPrices)

/**
 * The dialogs that add, correct, import and remove prices. The URL says which one is open; render this only while one is. The
 * models of `records` are suggested.
 */
export function PriceDialogs({ records }: { records: readonly ReceivedCost[] }) {
  const [{ add, correct, remove, import: isImport }, setParams] = useUrlState(editParams)
  const takesPrices = useTakesPrices()
  const models = useMemo(() => [...new Set(records.flatMap(({ llm_id }) => llm_id ?? []))].toSorted(), [records])
  // Back must not open what was closed.
  const close = () => setParams({ add: undefined, correct: undefined, remove: undefined, import: false }, { replace: true })
  if (takesPrices !== true) {
    return (
      <Dialog title="Prices" onClose={close} actions={<Button onClick={close}>Close</Button>}>
        {takesPrices === undefined ? 'Asking whether this service takes prices…' : 'This service takes no prices.'}
      </Dialog>
    )
  }
  if (isImport) {
    return (
      <Dialog title="Import prices" onClose={close} className="w-240">
        <Suspense fallback={<PartFallback />}>
          <ImportPrices onClose={close} />
        </Suspense>
      </Dialog>
    )
  }
  if (remove !== undefined) {
    return (
      <Dialog title="Remove a price" onClose={close} className="w-140">
        <WithRecord id={remove}>{(cost) => <RemovePrice cost={cost} onClose={close} />}</WithRecord>
      </Dialog>
    )
  }
  if (correct !== undefined) {
    return (
      <Dialog title="Correct a price" onClose={close} className="w-180">
        <WithRecord id={correct}>
          {(cost) => <EditPrice key={cost.id} model={cost.llm_id ?? ''} corrected={cost} models={models} onClose={close} />}
        </WithRecord>
      </Dialog>
    )
  }
  return (
    <Dialog title="Add a price" onClose={close} className="w-180">
      <EditPrice key={add} model={add ?? ''} corrected={undefined} models={models} onClose={close} />
    </Dialog>
  )
}

/** Reads the record that a dialog is about. It stays as it was read: its removal must not take the dialog's words away. */
function WithRecord({ id, children }: { id: string; children: (cost: ReceivedCost) => ReactNode }) {
  const query = useQuery({ ...costByIdQuery(id, useConnection()), staleTime: Infinity })
  const [read, setRead] = useState<ReceivedCost>()
  const cost = query.data?.rows.find((row) => row.id === id)
  if (!read && cost) setRead(cost)
  if (read?.id === id) return children(read)
  if (query.isPending) return <PartFallback />
  return <p>{query.error ? `The record could not be read. ${query.error.message}` : 'There is no such record.'}</p>
}

type EditProps = {
  model: string
  corrected: ReceivedCost | undefined
  models: readonly string[]
  onClose: () => void
}

function EditPrice({ model, corrected, models, onClose }: EditProps) {
  const connection = useConnection()
  const [draft] = useState(() => priceDraft(connection, corrected?.id ?? ''))
  const start = (): PriceDraft => (corrected ? toCorrection(corrected, !isCatalogCost(corrected)) : { ...emptyDraft, model })
  const [values, setValues] = useState<PriceDraft>(() => {
    const kept = draft.read()
    return kept && (corrected || model === '' || kept.model.trim() === model) ? kept : start()
  })
  const [round, setRound] = useState(0)
  const [written, setWritten] = useState<WrittenPrice>()
  const save = useCallback((next: PriceDraft) => draft.write(next), [draft])

  if (written) {
    return (
      <WrittenNotice
        price={written}
        onClose={onClose}
        onAnother={() => {
          setValues({ ...emptyDraft, currency: values.currency, unit: values.unit })
          setWritten(undefined)
          setRound(round + 1)
        }}
      />
    )
  }
  return (
    <PriceForm
      key={round}
      defaultValues={values}
      corrected={corrected}
      models={models}
      onChange={save}
      onDiscard={() => {
        draft.remove()
        onClose()
      }}
      onWritten={(price) => {
        draft.remove()
        setWritten(price)
      }}
    />
  )
}

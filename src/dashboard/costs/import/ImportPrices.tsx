import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo, useRef, useState } from 'react'
import type { PriceList } from '../../../contract/price-files/imported-price'
import { receiveCosts } from '../../../contract/received-costs'
import { useConnection } from '../../client/connection-context'
import { refetchOperation } from '../../client/refetch-operation'
import { formatCount } from '../../format/count'
import { ForeignText } from '../../format/ForeignText'
import { Banner } from '../../ui/Banner'
import { Button } from '../../ui/Button'
import { allCostsQuery } from '../records/all-costs-query'
import { ImportPreview } from './ImportPreview'
import { planImport } from './import-plan'
import { readPriceFile } from './read-price-file'
import { sendPrices } from './send-prices'

type ReadFile = { name: string; list: PriceList; readAt: string }

/** Imports a file of prices: reads it here, shows what it would change, and then sends it. */
export function ImportPrices({ onClose }: { onClose: () => void }) {
  const connection = useConnection()
  const queryClient = useQueryClient()
  const [file, setFile] = useState<ReadFile>()
  const [problem, setProblem] = useState<string>()
  const [progress, setProgress] = useState({ sent: 0, total: 0 })
  const stored = useQuery({ ...allCostsQuery(connection), enabled: file !== undefined })
  const plan = useMemo(
    () => file && stored.data?.isComplete && planImport(file.list.prices, stored.data.rows, Date.parse(file.readAt)),
    [file, stored.data],
  )
  const send = useMutation({
    mutationFn: async ({ list, readAt }: ReadFile) => {
      const onProgress = (sent: number, total: number) => setProgress({ sent, total })
      try {
        return await sendPrices(list.prices, { connection, queryClient, from: readAt, onProgress })
      } finally {
        await refetchOperation(queryClient, receiveCosts)
      }
    },
  })
  const read = async (chosen: File) => {
    setProblem(undefined)
    setFile(undefined)
    send.reset()
    try {
      setFile({ name: chosen.name, list: await readPriceFile(chosen), readAt: new Date().toISOString() })
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error))
    }
  }
  const done = useRef<HTMLParagraphElement>(null)
  // The pressed button is gone, so the result takes the focus.
  useEffect(() => {
    if (send.isSuccess) done.current?.focus()
  }, [send.isSuccess])

  if (send.isSuccess) {
    return (
      <div className="flex flex-col items-start gap-4">
        <p ref={done} tabIndex={-1} className="outline-none">
          {`${formatPrices(send.data)} recorded. The same file, sent again, records nothing twice.`}
        </p>
        <Button variant="primary" onClick={onClose}>
          Close
        </Button>
      </div>
    )
  }
  const newCount = plan ? plan.added.length + plan.changed.length : 0
  return (
    <div className="flex flex-col gap-4">
      <FileField onChoose={(chosen) => void read(chosen)} />
      {problem !== undefined && (
        <Banner tone="bad" title="The file cannot be read">
          {problem}
        </Banner>
      )}
      {file && stored.error && (
        <Banner
          tone="bad"
          title="The recorded prices could not be read"
          actions={<Button onClick={() => void stored.refetch()}>Retry</Button>}
        >
          {stored.error.message}
        </Banner>
      )}
      {file && !plan && !stored.error && (
        <output>
          {stored.isFetching ? 'Comparing with the recorded prices…' : 'There are too many records to compare with.'}
        </output>
      )}
      {file && plan && (
        <>
          <p>
            <ForeignText text={file.name} />
            {`: ${formatPrices(file.list.prices.length)}.`}
          </p>
          <ImportPreview plan={plan} list={file.list} />
          {send.error && (
            <Banner tone="bad" title={`Stopped after ${formatCount(String(progress.sent))} of ${formatPrices(progress.total)}`}>
              {`${send.error.message} Send again: what is recorded already is left out.`}
            </Banner>
          )}
          <div className="flex flex-wrap items-center gap-3">
            <Button
              variant="primary"
              isBusy={send.isPending}
              aria-disabled={newCount === 0}
              onClick={() => {
                if (newCount > 0) send.mutate(file)
              }}
            >
              {newCount === 0 ? 'Nothing to record' : `Record ${formatPrices(newCount)}`}
            </Button>
            {send.isPending && (
              <output className="flex items-center gap-2 tabular-nums">
                <progress aria-label="Sent" max={Math.max(1, progress.total)} value={progress.sent} />
                {`${formatCount(String(progress.sent))} of ${formatCount(String(progress.total))}`}
              </output>
            )}
            <span className="text-xs text-quiet">Prices without a date hold from now on. Earlier records stay.</span>
          </div>
        </>
      )}
    </div>
  )
}

function FileField({ onChoose }: { onChoose: (file: File) => void }) {
  const [isOver, setIsOver] = useState(false)
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- files are dropped on it; the keyboard has the input
    <label
      className={`flex cursor-pointer flex-col gap-2 rounded-md border border-dashed p-3 ${isOver ? 'border-accent bg-accent-soft' : 'border-line-strong'}`}
      onDragOver={(event) => {
        event.preventDefault()
        setIsOver(true)
      }}
      onDragLeave={() => setIsOver(false)}
      onDrop={(event) => {
        event.preventDefault()
        setIsOver(false)
        const [file] = event.dataTransfer.files
        if (file) onChoose(file)
      }}
    >
      <span>
        A file of prices: LiteLLM’s <code className="font-mono text-xs break-all">model_prices_and_context_window.json</code>, or
        CSV with the columns llm_id, prompt_cost_per_million, completion_cost_per_million and others. Choose it or drop it here.
      </span>
      <input
        type="file"
        accept=".json,.csv,.gz,.txt"
        aria-label="File of prices"
        // Beside its button the browser says that no file is chosen, because the value is reset.
        className="file-input text-transparent"
        onChange={({ target }) => {
          const [file] = target.files ?? []
          if (file) onChoose(file)
          // The same file can be chosen again after it was changed.
          target.value = ''
        }}
      />
    </label>
  )
}

function formatPrices(count: number): string {
  return count === 1 ? '1 price' : `${formatCount(String(count))} prices`
}

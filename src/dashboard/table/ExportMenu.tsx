import { lazy, Suspense, useRef, useState } from 'react'
import { useConnection } from '../client/connection-context'
import { grouped } from '../format/decimal'
import { announce } from '../ui/announce'
import { Button } from '../ui/Button'
import { Menu } from '../ui/Menu'
import type { Answer } from './answer'
import type { DataTableProps } from './DataTable'
import type { ExportFormat } from './export-rows'
import type { PlacedColumn } from './use-column-model'

const ExportMenuItems = lazy(() => import('./ExportMenuItems').then((module) => ({ default: module.ExportMenuItems })))

export type ExportScope = 'page' | 'all' | 'selected'

type Props<Row extends object, Context> = DataTableProps<Row, Context> & {
  answer: Answer<Row>
  selected: ReadonlyMap<string, Row>
  placed: readonly PlacedColumn<Row, Context>[]
}

/** Rows as a file, the view as a request. A long export counts along and can be stopped. */
export function ExportMenu<Row extends object, Context>(props: Props<Row, Context>) {
  const { name, answer, selected, placed, columns, context, readAll, request } = props
  const connection = useConnection()
  const [exported, setExported] = useState<number>()
  const [problem, setProblem] = useState<string>()
  const controller = useRef<AbortController>(undefined)

  const run = async (scope: ExportScope, format: ExportFormat) => {
    const { saveRows } = await import('./export-rows')
    controller.current = new AbortController()
    const { signal } = controller.current
    const shown = new Set(placed.map(({ column }) => column.id))
    setExported(0)
    setProblem(undefined)
    try {
      const count = await saveRows({
        name,
        format,
        columns: columns.filter(({ id, isAlwaysExported }) => shown.has(id) || isAlwaysExported),
        context,
        batches: scope === 'all' ? readAll(signal) : [scope === 'page' ? (answer.rows ?? []) : [...selected.values()]],
        onProgress: setExported,
        signal,
      })
      if (count !== undefined) announce(`${count} rows exported`)
    } catch (error) {
      if (!signal.aborted) setProblem(`The export failed: ${error instanceof Error ? error.message : String(error)}`)
    } finally {
      setExported(undefined)
    }
  }

  if (exported !== undefined) {
    return (
      <span className="flex items-center gap-2 tabular-nums">
        Exporting, {grouped(String(exported))} rows
        <Button icon="stop" onClick={() => controller.current?.abort()}>
          Stop
        </Button>
      </span>
    )
  }
  return (
    <>
      {problem && (
        <span role="alert" className="max-w-80 truncate text-bad" title={problem}>
          {problem}
        </span>
      )}
      <Menu
        label="Export"
        align="end"
        renderTrigger={(trigger) => (
          <Button {...trigger} variant="quiet" icon="download">
            Export
          </Button>
        )}
      >
        <Suspense fallback={<p className="px-2.5 py-1 text-quiet">Loading…</p>}>
          <ExportMenuItems
            selectedCount={selected.size}
            request={request}
            connection={connection}
            onExport={(scope, format) => void run(scope, format)}
          />
        </Suspense>
      </Menu>
    </>
  )
}

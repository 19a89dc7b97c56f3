import { Fragment, useRef, useState } from 'react'
import { ApiError } from '../../client/api-error'
import { useConnection } from '../../client/connection-context'
import { formatCurlCommands, formatRequestJson } from '../../client/request-preview'
import { formatCount } from '../../format/count'
import { announce } from '../../ui/announce'
import { Button } from '../../ui/Button'
import { copyText } from '../../ui/copy-text'
import { Menu, MenuHeading, MenuItem, MenuLine } from '../../ui/Menu'
import { type ExportFormat, exportFormats, saveRows } from '../view/export-rows'
import type { TableState } from '../view/use-table-state'
import type { ColumnModel } from './use-column-model'
import { moreIcons } from '../../ui/more-icons'

type Scope = 'page' | 'all' | 'selected'

type Props<Row extends object, Display> = {
  table: TableState<Row, Display>
  model: ColumnModel<Row, Display>
  display: Display
}

/** Saves rows as a file and copies the view as a request. A long export shows its progress and can be stopped. */
export function ExportMenu<Row extends object, Display>({ table, model, display }: Props<Row, Display>) {
  const { definition, hiddenIds, toRequests, selected } = table
  const connection = useConnection()
  const [exportedCount, setExportedCount] = useState<number>()
  const [isWaiting, setIsWaiting] = useState(false)
  const [problem, setProblem] = useState<string>()
  const controller = useRef<AbortController>(undefined)

  const visible = model.visibleColumns.map(({ column }) => column)
  const onPageOnly = visible.filter(({ isOnPageOnly, exportValue }) => isOnPageOnly && exportValue).map(({ label }) => label)

  const save = async (scope: Scope, format: ExportFormat) => {
    controller.current = new AbortController()
    const { signal } = controller.current
    let readCount = 0
    let unreadableCount = 0
    let isComplete = true
    const onFailure = (error: Error) => {
      const isTransient = error instanceof ApiError && error.isTransient
      setIsWaiting(isTransient)
      return isTransient
    }
    async function* readBatches() {
      if (scope === 'selected') yield [...selected.values()]
      else if (scope === 'page') yield model.table.getRowModel().rows.map(({ original }) => original)
      else {
        for await (const part of table.readAll(signal, onFailure)) {
          setIsWaiting(false)
          unreadableCount += part.brokenLines.length
          isComplete &&= part.isComplete
          yield part.rows
        }
      }
    }
    setExportedCount(0)
    setProblem(undefined)
    try {
      const count = await saveRows({
        name: definition.name,
        format,
        context: definition.exportContext,
        columns: [
          ...visible,
          ...definition.columns.filter(({ id, isAlwaysExported }) => isAlwaysExported && hiddenIds.includes(id)),
        ].filter(({ isOnPageOnly }) => scope === 'page' || !isOnPageOnly),
        display,
        batches: readBatches(),
        signal,
        onProgress: (next) => {
          readCount = next
          setExportedCount(next)
        },
      })
      if (count !== undefined) announce(`${count} rows exported`)
      if (count === undefined) setProblem(`Stopped after ${formatCount(String(readCount))} rows: no file was saved.`)
      else if (!isComplete) setProblem(`The file has only the first ${formatCount(String(count))} rows: the server has more.`)
      else if (unreadableCount > 0)
        setProblem(`Rows that could not be read are not in the file: ${formatCount(String(unreadableCount))}.`)
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error)
      const rows = `after ${formatCount(String(readCount))} rows`
      setProblem(`The export failed ${rows}: all later ones are missing, so no file was saved. ${reason}`)
    } finally {
      setExportedCount(undefined)
      setIsWaiting(false)
    }
  }
  const copy = async (toText: () => Promise<string>) => announce((await copyText(await toText())) ? 'Copied' : 'Copying failed')

  if (exportedCount !== undefined) {
    return (
      <span data-keeps-focus="button" className="flex items-center gap-2 tabular-nums">
        {isWaiting ? 'Waiting for the server after' : 'Exporting,'} {formatCount(String(exportedCount))} rows
        <Button icon="stop" onClick={() => controller.current?.abort()}>
          Stop
        </Button>
      </span>
    )
  }
  const scopes: { scope: Scope; label: string; heading?: string }[] = [
    { scope: 'page', label: 'Rows on screen' },
    { scope: 'all', label: 'All pages' },
    ...(selected.size > 0 ? [{ scope: 'selected' as const, label: 'Selected rows', heading: `${selected.size} selected` }] : []),
  ]
  return (
    <span data-keeps-focus="button" className="contents">
      {problem && (
        <span role="alert" className="max-w-80 truncate text-bad" title={problem}>
          {problem}
        </span>
      )}
      <Menu
        label="Export"
        align="end"
        renderTrigger={(trigger) => (
          <Button {...trigger} variant="quiet" icon={moreIcons.download}>
            Export
          </Button>
        )}
      >
        {scopes.map(({ scope, label, heading = label }) => (
          <Fragment key={scope}>
            <MenuHeading>
              {heading}
              {scope !== 'page' && onPageOnly.length > 0 && `, without ${onPageOnly.join(', ')}`}
            </MenuHeading>
            {exportFormats.map((format) => (
              <MenuItem key={format} icon={moreIcons.download} onSelect={() => void save(scope, format)}>
                {`${label} as ${format}`}
              </MenuItem>
            ))}
          </Fragment>
        ))}
        <MenuLine />
        <MenuItem
          icon="copy"
          onSelect={() => void copy(async () => formatCurlCommands(await toRequests(), connection, location.origin))}
        >
          Copy as curl
        </MenuItem>
        <MenuItem icon="copy" onSelect={() => void copy(async () => formatRequestJson(await toRequests()))}>
          Copy the JSON request
        </MenuItem>
      </Menu>
    </span>
  )
}

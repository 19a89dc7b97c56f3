import { useRef, useState } from 'react'
import type { RequestPreview } from '../../client/request-preview'
import { useConnection } from '../../client/connection-context'
import { formatCount } from '../../format/count'
import { announce } from '../../ui/announce'
import { Button } from '../../ui/Button'
import { Menu } from '../../ui/Menu'
import { moreIcons } from '../../ui/more-icons'
import { ExportMenuItems } from './ExportMenuItems'
import type { ExportFormat } from '../view/export-rows'

export type ExportScope = 'page' | 'all' | 'selected'

/** Writes a file; answers how many rows it holds, or undefined when it was stopped. */
export type SaveRows = (
  scope: ExportScope,
  format: ExportFormat,
  options: { signal: AbortSignal; onProgress: (count: number) => void },
) => Promise<number | undefined>

type Props = { selectedCount: number; request: RequestPreview; save: SaveRows }

/** Rows as a file, the view as a request. A long export counts along and can be stopped. */
export function ExportMenu({ selectedCount, request, save }: Props) {
  const connection = useConnection()
  const [exported, setExported] = useState<number>()
  const [problem, setProblem] = useState<string>()
  const controller = useRef<AbortController>(undefined)

  const run = async (scope: ExportScope, format: ExportFormat) => {
    controller.current = new AbortController()
    const { signal } = controller.current
    setExported(0)
    setProblem(undefined)
    try {
      const count = await save(scope, format, { signal, onProgress: setExported })
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
        Exporting, {formatCount(String(exported))} rows
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
          <Button {...trigger} variant="quiet" icon={moreIcons.download}>
            Export
          </Button>
        )}
      >
        <ExportMenuItems
          selectedCount={selectedCount}
          request={request}
          connection={connection}
          onExport={(scope, format) => void run(scope, format)}
        />
      </Menu>
    </>
  )
}

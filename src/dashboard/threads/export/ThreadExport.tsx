import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useConnection } from '../../client/connection-context'
import { loadPart } from '../../client/lazy-part'
import { formatCount } from '../../format/count'
import { announce } from '../../ui/announce'
import { Button } from '../../ui/Button'
import { Menu, MenuItem } from '../../ui/Menu'
import { moreIcons } from '../../ui/more-icons'
import { saveFile } from '../../payload/save-file'
import type { ThreadTurn } from '../turns/thread-turn'

const formats = [
  { format: 'json', label: 'JSON', ending: 'json', type: 'application/json' },
  { format: 'markdown', label: 'Markdown', ending: 'md', type: 'text/markdown;charset=utf-8' },
  { format: 'otlp', label: 'OpenTelemetry (OTLP, JSON)', ending: 'otlp.json', type: 'application/json' },
] as const
type Format = (typeof formats)[number]

type Props = {
  threadId: string
  turns: readonly ThreadTurn[]
  /** False while more turns may follow, or where the list of turns was cut off. */
  hasAllTurns: boolean
}

type Work =
  | { kind: 'idle' }
  | { kind: 'reading'; counts: { turns: number; calls: number }; isWaiting: boolean }
  | { kind: 'told'; text: string }

/** Saves a thread with all its turns, calls, inputs and outputs as a file. A long export shows its progress and can be stopped. */
export function ThreadExport({ threadId, turns, hasAllTurns }: Props) {
  const connection = useConnection()
  const queryClient = useQueryClient()
  const [work, setWork] = useState<Work>({ kind: 'idle' })
  const controller = useRef<AbortController>(undefined)
  // What nobody waits for any more is not read on.
  useEffect(() => () => controller.current?.abort(), [])

  const save = async ({ format, ending, type }: Format) => {
    const { signal } = (controller.current = new AbortController())
    setWork({ kind: 'reading', counts: { turns: 0, calls: 0 }, isWaiting: false })
    try {
      const { exportThread } = await loadPart(() => import('./export-thread'))
      const exportedAt = new Date().toISOString()
      const { counts, blobs, missing } = await exportThread({
        format,
        threadId,
        turns,
        connection,
        queryClient,
        signal,
        exportedAt,
        onProgress: (next, isWaiting) => setWork({ kind: 'reading', counts: next, isWaiting }),
      })
      const read = `${formatCount(String(counts.calls))} calls of ${formatCount(String(counts.turns))} turns`
      if (!blobs) return setWork({ kind: 'told', text: `Stopped after ${read}: no file was saved.` })
      saveFile(`${toFileName(threadId)}-${exportedAt.slice(0, 19).replaceAll(':', '')}.${ending}`, blobs, type)
      announce(`${read} exported`)
      const cut = hasAllTurns ? '' : `Only the first ${formatCount(String(turns.length))} turns are in the file.`
      const all = [cut, missing].filter(Boolean).join(' ')
      setWork(all === '' ? { kind: 'idle' } : { kind: 'told', text: all })
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error)
      setWork({ kind: 'told', text: signal.aborted ? 'Stopped: no file was saved.' : `No file was saved. ${reason}` })
    }
  }
  if (work.kind === 'reading') {
    const { counts, isWaiting } = work
    return (
      <span data-keeps-focus="button" className="flex items-center gap-2 text-quiet tabular-nums">
        {`${isWaiting ? 'Waiting for the server after' : 'Exporting,'} turn ${formatCount(String(counts.turns))} of ${formatCount(String(turns.length))}, ${formatCount(String(counts.calls))} calls`}
        <Button icon="stop" onClick={() => controller.current?.abort()}>
          Stop
        </Button>
      </span>
    )
  }
  return (
    <span data-keeps-focus="button" className="contents">
      <Menu
        label="Export this thread"
        align="end"
        renderTrigger={(trigger) => (
          <Button {...trigger} variant="quiet" icon={moreIcons.download}>
            Export
          </Button>
        )}
      >
        {formats.map((each) => (
          <MenuItem key={each.format} icon={moreIcons.download} onSelect={() => void save(each)}>
            {`As ${each.label}`}
          </MenuItem>
        ))}
      </Menu>
      {work.kind === 'told' && (
        <span role="alert" className="basis-full text-warn">
          {work.text}
        </span>
      )}
    </span>
  )
}

/** Ids may hold slashes, and names of files must not begin with a dot. */
function toFileName(threadId: string): string {
  return (
    threadId
      .replaceAll(/[^\p{L}\p{N}._-]+/gu, '-')
      .replace(/^[.-]+/, '')
      .slice(0, 80) || 'thread'
  )
}

import { useRef, useState } from 'react'
import { parseScorerRef } from '../../contract/scorer-ref'
import { formatVisibleText } from '../format/visible-text'
import { Button } from '../ui/Button'
import { moreIcons } from '../ui/more-icons'
import { Picker } from '../ui/Picker'
import { Popover } from '../ui/Popover'
import { parseScorerRefs } from './parse-scorer-refs'
import { decodeScorerName } from './scorer-ref-state'

/** 100 references take about a tenth of this. */
const maxFileBytes = 1_000_000

type Props = { knownRefs: readonly string[]; onAdd: (refs: string[]) => void }

/** Adds references from a file or from the project's queues. */
export function ScorerRefSources({ knownRefs, onAdd }: Props) {
  const file = useRef<HTMLInputElement>(null)
  const [problem, setProblem] = useState<string>()

  const readFile = async (chosen: File) => {
    if (chosen.size > maxFileBytes) return setProblem('That file is larger than 1 MB.')
    const refs = parseScorerRefs(await chosen.text())
    setProblem(refs.length === 0 ? 'That file contains no references.' : undefined)
    onAdd(refs)
  }

  return (
    <>
      <Button icon={moreIcons.file} onClick={() => file.current?.click()}>
        From a file…
      </Button>
      <input
        ref={file}
        type="file"
        accept=".txt,.csv,.json,.jsonl,.ndjson,.py,.ts,.js,.md,text/*,application/json"
        aria-label="File with scorer references"
        tabIndex={-1}
        className="sr-only"
        onChange={(event) => {
          const [chosen] = event.target.files ?? []
          if (chosen) void readFile(chosen)
          // Otherwise the browser reports no change when the same file is chosen again.
          event.target.value = ''
        }}
      />
      {knownRefs.length > 0 && (
        <Popover
          label="References in use"
          className="w-110"
          focusOn={(panel) => panel.querySelector('input')}
          renderTrigger={(trigger) => (
            <Button {...trigger} icon="plus">
              From this project’s queues
            </Button>
          )}
        >
          {() => (
            <div className="flex max-h-80 flex-col">
              <Picker
                label="Reference in use"
                placeholder="Find a scorer"
                options={knownRefs.map((ref) => ({ id: ref, ...toOptionText(ref) }))}
                emptyText="No reference in use matches these words."
                onPick={({ id }) => onAdd([id])}
              />
            </div>
          )}
        </Popover>
      )}
      {problem && (
        <span role="alert" className="text-bad">
          {problem}
        </span>
      )}
    </>
  )
}

function toOptionText(ref: string): { label: string; aside?: string } {
  const parts = parseScorerRef(ref)
  return typeof parts === 'string'
    ? { label: formatVisibleText(ref) }
    : {
        label: formatVisibleText(`${decodeScorerName(parts.name)}:${parts.version}`),
        aside: formatVisibleText(`${parts.entity}/${parts.project}`),
      }
}

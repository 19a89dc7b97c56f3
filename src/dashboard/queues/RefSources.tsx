import { useRef, useState } from 'react'
import { parseScorerRef } from '../../contract/scorer-ref'
import { Button } from '../ui/Button'
import { moreIcons } from '../ui/more-icons'
import { Picker } from '../ui/Picker'
import { Popover } from '../ui/Popover'
import { decodedName } from './chip-states'
import { mostFileBytes, readRefs } from './read-refs'

type Props = { knownRefs: readonly string[]; onAdd: (refs: string[]) => void }

/** Where references come from other than the keyboard: a file, and the queues the project has. */
export function RefSources({ knownRefs, onAdd }: Props) {
  const file = useRef<HTMLInputElement>(null)
  const [problem, setProblem] = useState<string>()

  const read = async (chosen: File) => {
    if (chosen.size > mostFileBytes) return setProblem('That file is larger than 1 MB; a list of references is not.')
    const refs = readRefs(await chosen.text())
    setProblem(refs.length === 0 ? 'There is nothing in that file.' : undefined)
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
          if (chosen) void read(chosen)
          // So that the same file can be chosen again after it was changed.
          event.target.value = ''
        }}
      />
      {knownRefs.length > 0 && (
        <Popover
          label="References in use"
          className="w-110"
          focusOn={(panel) => panel.querySelector('input')}
          renderTrigger={(trigger) => (
            <Button {...trigger} icon={moreIcons.plus}>
              From this project’s queues
            </Button>
          )}
        >
          {() => (
            <div className="flex max-h-80 flex-col">
              <Picker
                label="Reference in use"
                placeholder="Find a scorer"
                options={knownRefs.map((ref) => ({ id: ref, ...wordsOf(ref) }))}
                emptyText="No reference in use has these words."
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

function wordsOf(ref: string): { label: string; aside?: string } {
  const parts = parseScorerRef(ref)
  return typeof parts === 'string'
    ? { label: ref }
    : { label: `${decodedName(parts.name)}:${parts.version}`, aside: `${parts.entity}/${parts.project}` }
}

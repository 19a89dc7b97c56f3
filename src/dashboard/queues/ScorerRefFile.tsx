import { useRef, useState } from 'react'
import { Button } from '../ui/Button'
import { moreIcons } from '../ui/more-icons'
import { parseScorerRefs } from './parse-scorer-refs'

/** 100 references take about a tenth of this. */
const maxFileBytes = 1_000_000

/** Adds the references in a file. */
export function ScorerRefFile({ onAdd }: { onAdd: (refs: string[]) => void }) {
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
      {problem && (
        <span role="alert" className="text-bad">
          {problem}
        </span>
      )}
    </>
  )
}

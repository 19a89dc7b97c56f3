import { useRef } from 'react'
import { maxScorerRefs, scorerRefForm } from '../../contract/scorer-ref'
import { announce } from '../ui/announce'
import { Button } from '../ui/Button'
import { moreIcons } from '../ui/more-icons'
import { formatStateCounts, isBad, type ScorerRefState } from './scorers/scorer-ref-state'

type Props = { refs: readonly ScorerRefState[]; onRemove: (indexes: number[]) => void }

/** Counts the references by state, and offers to find or remove the bad ones. */
export function ScorerRefSummary({ refs, onRemove }: Props) {
  const lastFocused = useRef(-1)
  const indexesOf = (isWanted: (ref: ScorerRefState) => boolean) => refs.flatMap((ref, index) => (isWanted(ref) ? [index] : []))
  const bad = indexesOf(isBad)
  const malformed = indexesOf(({ state }) => state === 'malformed')
  const pastLimit = refs.map((_, index) => index).slice(maxScorerRefs)
  const duplicates = indexesOf(({ state }) => state === 'duplicate')

  const remove = (indexes: number[], label: string) => {
    onRemove(indexes)
    announce(`Removed ${indexes.length} ${label}`)
  }
  const focusNextBad = () => {
    lastFocused.current = bad.find((index) => index > lastFocused.current) ?? bad[0] ?? -1
    document.getElementById(`queue-ref-${lastFocused.current}`)?.focus()
  }
  if (refs.length === 0) return null
  return (
    <div className="mt-1 flex min-h-7 flex-wrap items-center gap-x-3 gap-y-1">
      <output aria-label="References" className="text-quiet tabular-nums">
        {formatStateCounts(refs)}
        {pastLimit.length > 0 && `; ${pastLimit.length} past the limit of ${maxScorerRefs}`}
      </output>
      {bad.length > 0 && (
        <Button variant="quiet" icon="arrow-right" onClick={focusNextBad}>
          Next bad one
        </Button>
      )}
      {malformed.length > 0 && (
        <Button variant="quiet" icon={moreIcons.trash} onClick={() => remove(malformed, 'malformed')}>
          Remove all malformed
        </Button>
      )}
      {duplicates.length > 0 && (
        <Button variant="quiet" icon={moreIcons.trash} onClick={() => remove(duplicates, 'duplicates')}>
          Remove duplicates
        </Button>
      )}
      {pastLimit.length > 0 && (
        <Button variant="quiet" icon={moreIcons.trash} onClick={() => remove(pastLimit, 'past the limit')}>
          {`Remove those after the ${maxScorerRefs}th`}
        </Button>
      )}
      {malformed.length > 0 && (
        <p className="w-full break-words text-quiet">
          Expected: <code className="font-mono text-xs">{scorerRefForm}</code>
        </p>
      )}
    </div>
  )
}

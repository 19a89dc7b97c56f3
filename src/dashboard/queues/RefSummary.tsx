import { useRef } from 'react'
import { scorerRefForm } from '../../contract/scorer-ref'
import { announce } from '../ui/announce'
import { Button } from '../ui/Button'
import { moreIcons } from '../ui/more-icons'
import { type ChipState, isBad, summaryOf } from './chip-states'

type Props = { chips: readonly ChipState[]; onChange: (refs: string[]) => void; onJump: (index: number) => void }

/** How the references stand in all, and the short ways out. */
export function RefSummary({ chips, onChange, onJump }: Props) {
  const last = useRef(-1)
  const bad = chips.flatMap((chip, index) => (isBad(chip) ? [index] : []))
  const keep = (isKept: (chip: ChipState) => boolean, what: string) => {
    const kept = chips.filter(isKept)
    onChange(kept.map(({ text }) => text))
    announce(`Removed ${chips.length - kept.length} ${what}`)
  }
  const jump = () => {
    const next = bad.find((index) => index > last.current) ?? bad[0]
    if (next === undefined) return
    last.current = next
    onJump(next)
  }
  if (chips.length === 0) return null
  return (
    <div className="mt-1 flex min-h-7 flex-wrap items-center gap-x-3 gap-y-1">
      <output aria-label="References" className="text-quiet tabular-nums">
        {summaryOf(chips)}
      </output>
      {bad.length > 0 && (
        <>
          <Button variant="quiet" icon={moreIcons.arrowRight} onClick={jump}>
            Next bad one
          </Button>
          {chips.some(({ state }) => state === 'malformed') && (
            <Button
              variant="quiet"
              icon={moreIcons.trash}
              onClick={() => keep(({ state }) => state !== 'malformed', 'malformed')}
            >
              Remove all malformed
            </Button>
          )}
        </>
      )}
      {chips.some(({ state }) => state === 'duplicate') && (
        <Button variant="quiet" icon={moreIcons.trash} onClick={() => keep(({ state }) => state !== 'duplicate', 'duplicates')}>
          Remove duplicates
        </Button>
      )}
      {chips.some(({ state }) => state === 'malformed') && (
        <p className="w-full break-words text-quiet">
          Expected: <code className="font-mono text-xs">{scorerRefForm}</code>
        </p>
      )}
    </div>
  )
}

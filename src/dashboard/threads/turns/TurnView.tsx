import { type ReactNode, useEffect, useRef } from 'react'
import { ForeignText } from '../../format/ForeignText'
import { formatCount } from '../../format/count'
import type { TimeZone } from '../../format/instant'
import { Time } from '../../format/Time'
import { Button } from '../../ui/Button'
import { CopyButton } from '../../ui/CopyButton'
import { IconButton } from '../../ui/IconButton'
import { Menu, MenuItem, MenuLine } from '../../ui/Menu'
import { moreIcons } from '../../ui/more-icons'
import type { ThreadTurn } from './thread-turn'
import { TurnCost, TurnDuration, TurnModels, TurnTokens } from './TurnFigures'
import { TurnFailureText } from './TurnFailureText'
import { TurnStatus } from './TurnStatus'
import type { TurnMark } from './turn-marks'

type Props = {
  turns: readonly ThreadTurn[]
  /** False while more turns may follow. */
  isComplete: boolean
  index: number
  marks: readonly TurnMark[]
  zone: TimeZone
  /** The list is not beside it. */
  isAlone: boolean
  /** Does nothing where there is no such turn. */
  onOpen: (index: number) => void
  onClose: () => void
  onCompare: (index: number) => void
  onPickComparison: () => void
  onOpenCall: (callId: string) => void
  /** The tree of its calls, or the comparison with another turn. */
  children: ReactNode
}

/** The open turn: its figures, the ways to others, and below them its calls. */
export function TurnView({
  turns,
  isComplete,
  index,
  marks,
  zone,
  isAlone,
  onOpen,
  onClose,
  onCompare,
  onPickComparison,
  onOpenCall,
  children,
}: Props) {
  const heading = useRef<HTMLHeadingElement>(null)
  const turn = turns[index]
  // Whoever opened it continues here; the list gives the focus away only on Enter or a click, and what stays above it never.
  useEffect(() => {
    const keepers = isAlone ? '[data-opens-turns]' : '[data-opens-turns], [data-turn-scroller]'
    if (!document.activeElement?.closest(keepers)) heading.current?.focus({ preventScroll: true })
  }, [isAlone])
  if (!turn) return null
  return (
    <section aria-label={`Turn ${index + 1}`} className="flex min-h-0 min-w-0 flex-1 flex-col" data-turn-view>
      <header className="border-b border-line px-4 py-2">
        <div className="flex flex-wrap items-center gap-1">
          {isAlone && (
            <Button variant="quiet" icon="arrow-left" className="-ml-2.5" onClick={onClose}>
              All turns
            </Button>
          )}
          <h3 ref={heading} tabIndex={-1} className="mr-auto font-semibold whitespace-nowrap outline-none">
            Turn {index + 1}
            {isComplete && <span className="font-normal text-quiet"> of {formatCount(String(turns.length))}</span>}
          </h3>
          <IconButton
            icon={moreIcons.chevronUp}
            label="Previous turn (k)"
            aria-disabled={index === 0}
            onClick={() => onOpen(index - 1)}
          />
          <IconButton
            icon="chevron-down"
            label="Next turn (j)"
            aria-disabled={index === turns.length - 1}
            onClick={() => onOpen(index + 1)}
          />
          <CompareMenu turns={turns} index={index} marks={marks} onCompare={onCompare} onPick={onPickComparison} />
          <CopyButton label="Copy turn id" text={turn.id} />
          {!isAlone && <IconButton icon="x" label="Close the turn (Escape)" onClick={onClose} />}
        </div>
        {turn.firstWords !== null && (
          <p className="mt-0.5 line-clamp-2 wrap-anywhere">
            <ForeignText text={turn.firstWords} />
          </p>
        )}
        <dl className="fact-line">
          <Fact name="Status">
            <TurnStatus status={turn.status} hasText />
          </Fact>
          <Fact name="Duration">
            <TurnDuration turn={turn} />
          </Fact>
          {turn.startedAt !== null && (
            <Fact name="Start">
              <Time iso={turn.startedAt} zone={zone} />
            </Fact>
          )}
          <Fact name="Model">
            <TurnModels models={turn.models} />
          </Fact>
          <Fact name="Tokens">
            <TurnTokens tokens={turn.models.length > 0 ? turn.tokens : null} />
          </Fact>
          <Fact name="Cost">
            <TurnCost turn={turn} />
          </Fact>
        </dl>
        <Failure turn={turn} onOpenCall={onOpenCall} />
      </header>
      <div className="min-h-0 flex-1 overflow-y-auto">{children}</div>
    </section>
  )
}

/** The line opens the call with the whole exception. */
function Failure({ turn, onOpenCall }: { turn: ThreadTurn; onOpenCall: (callId: string) => void }) {
  const { failure } = turn
  if (failure?.message == null) return null
  return (
    <button
      type="button"
      title="Open the call that failed"
      className="mt-1 line-clamp-3 cursor-pointer text-left hover:underline"
      onClick={() => onOpenCall(failure.callId)}
    >
      <TurnFailureText turn={turn} />
    </button>
  )
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}

type CompareMenuProps = Pick<Props, 'turns' | 'index' | 'marks' | 'onCompare'> & { onPick: () => void }

function CompareMenu({ turns, index, marks, onCompare, onPick }: CompareMenuProps) {
  const others = new Map<number, string>()
  const add = (other: number, label: string) => {
    if (other !== index && turns[other] && !others.has(other)) others.set(other, label)
  }
  for (const { name, indexes } of marks) for (const other of indexes) add(other, `Turn ${other + 1}, ${name}`)
  add(index - 1, 'The turn before')
  add(index + 1, 'The turn after')
  if (others.size === 0) return null
  return (
    <Menu label="Compare with" align="end" renderTrigger={(trigger) => <Button {...trigger}>Compare</Button>}>
      {[...others].map(([other, label]) => (
        <MenuItem key={other} onSelect={() => onCompare(other)}>
          {label}
        </MenuItem>
      ))}
      <MenuLine />
      <MenuItem onSelect={onPick}>Choose in the list…</MenuItem>
    </Menu>
  )
}

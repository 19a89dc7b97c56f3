import { Button } from '../../ui/Button'
import { IconButton } from '../../ui/IconButton'
import { Kbd } from '../../ui/Kbd'
import { moreIcons } from '../../ui/more-icons'
import { findObstacle, findUndoable, nothingToUndo, type ReviewSession } from './review-session'
import type { Entry, SessionState } from './review-state'

type Props = { session: ReviewSession; state: SessionState; entry: Entry | undefined }

/** What can be done with the item, and the keys for it. */
export function ReviewFooter({ session, state, entry }: Props) {
  const isDecided = entry?.decision !== undefined
  const isSkipped = entry?.decision === 'skipped'
  const toStep = (by: -1 | 1) => {
    const obstacle = findObstacle(state, by)
    return { 'aria-disabled': obstacle !== undefined, title: obstacle, onClick: () => void session.step(by) }
  }
  const canUndo = findUndoable(state) !== undefined
  return (
    <footer className="sticky bottom-0 z-10 flex flex-wrap items-center gap-2 border-t border-line bg-surface px-4 py-2">
      <IconButton icon="arrow-left" label="Previous item (←)" {...toStep(-1)} />
      <IconButton icon="arrow-right" label="Next item (→)" {...toStep(1)} />
      <Button
        icon={moreIcons.undo}
        aria-disabled={!canUndo}
        title={canUndo ? 'U' : nothingToUndo}
        onClick={() => void session.undo()}
      >
        Undo
      </Button>
      {entry && (
        <>
          <Button aria-disabled={isDecided || state.isBusy} onClick={() => void session.skip()} title="S">
            Skip
          </Button>
          {/* No spinner before it matters: the next item is there sooner. */}
          <Button
            variant="primary"
            aria-disabled={isSkipped || state.isBusy}
            data-review-done
            onClick={() => void session.done()}
            className="max-sm:flex-1"
          >
            {entry.decision === 'completed' ? 'Save the correction' : 'Done and next'}
          </Button>
        </>
      )}
      <p className="ml-auto flex flex-wrap items-center gap-x-3 gap-y-1 text-xs text-quiet max-md:hidden">
        {keyHints.map(([keys, effect]) => (
          <span key={effect} className="inline-flex items-center gap-1">
            {keys.map((each) => (
              <Kbd key={each} keys={each} />
            ))}
            {effect}
          </span>
        ))}
      </p>
    </footer>
  )
}

const keyHints: readonly [keys: readonly string[], effect: string][] = [
  [['↑', '↓'], 'fields'],
  [['1', '9'], 'choose'],
  [['Enter'], 'next field'],
  [['mod+Enter'], 'done'],
  [['S'], 'skip'],
  [['U'], 'undo'],
  [['←', '→'], 'items'],
  [['?'], 'all keys'],
]

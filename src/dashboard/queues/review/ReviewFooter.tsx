import type { MouseEvent } from 'react'
import { retryNow } from '../../client/retry-schedule'
import { Banner } from '../../ui/Banner'
import { Button } from '../../ui/Button'
import { IconButton } from '../../ui/IconButton'
import { Kbd } from '../../ui/Kbd'
import { moreIcons } from '../../ui/more-icons'
import { hasManyChoices } from './answer-control'
import { findObstacle, findUndoable, nothingToUndo, type ReviewSession } from './review-session'
import { type Entry, isDecided, notSaved, type SessionState } from './review-state'

type Props = { session: ReviewSession; state: SessionState; entry: Entry | undefined }

/** What can be done with the item, and the keys for it. */
export function ReviewFooter({ session, state, entry }: Props) {
  const isSkipped = entry?.decision === 'skipped'
  const toStep = (by: -1 | 1, label: string) => {
    const obstacle = findObstacle(state, by)
    return { label, 'aria-disabled': obstacle !== undefined, title: obstacle ?? label, onClick: () => void session.step(by) }
  }
  const canUndo = findUndoable(state) !== undefined
  const hasText = session.fields.some(({ control }) => /text|json/.test(control.kind) || hasManyChoices(control))
  const hints = entry ? keyHints.filter(([keys]) => hasText || keys !== leaveKeys) : endKeyHints
  return (
    <footer className="sticky bottom-0 z-10 flex flex-wrap items-center gap-2 border-t border-line bg-surface px-4 py-2">
      <NotSaved session={session} state={state} entry={entry} />
      <IconButton icon="arrow-left" {...toStep(-1, 'Previous item (←)')} />
      <IconButton icon="arrow-right" {...toStep(1, 'Next item (→)')} />
      <Button
        icon={moreIcons.undo}
        aria-disabled={!canUndo}
        title={canUndo ? 'U' : nothingToUndo}
        onClick={unlessDouble(() => session.undo())}
      >
        Undo
      </Button>
      {entry && (
        <>
          <Button aria-disabled={isDecided(entry) || state.isBusy} onClick={unlessDouble(() => session.skip())} title="S">
            Skip
          </Button>
          {/* No spinner before it matters: the next item is there sooner. */}
          <Button
            variant="primary"
            aria-disabled={isSkipped || state.isBusy}
            data-review-done
            onClick={unlessDouble(() => session.done())}
            className="max-sm:flex-1"
          >
            {entry.decision === 'completed' ? 'Save the correction' : 'Done and next'}
          </Button>
        </>
      )}
      <p className="flex h-4.5 min-w-0 flex-1 flex-wrap justify-end gap-x-2.5 overflow-hidden text-xs text-quiet max-md:hidden">
        {hints.map(([keys, effect]) => (
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

/** Under the second click of a double click is another item already. Keys and other tools that press a button send no count. */
function unlessDouble(press: () => Promise<void>) {
  return ({ detail }: MouseEvent) => void (detail < 2 && press())
}

/** It stands where the buttons are: the top of a long form is out of sight. */
function NotSaved({ session, state: { failure, isRetrying, problems }, entry }: Props) {
  if (!failure || Object.keys(problems).length > 0) return null
  const { title, error } = failure
  // What was entered and is not decided: not what comes after it, which is another failure.
  const isOpen = title === notSaved && entry !== undefined && !isDecided(entry)
  return (
    <Banner
      tone="bad"
      className="basis-full"
      title={isOpen && entry.lease === 'taken' ? 'Somebody else has this item now' : title}
      actions={
        <>
          <Button icon="refresh" onClick={() => (isRetrying ? retryNow() : void session.retry())}>
            Try again
          </Button>
          {isOpen && !isRetrying && <Button onClick={() => void session.leave()}>Go on without it</Button>}
        </>
      }
    >
      {error.message}
      {title === notSaved && ' What you entered is kept.'}
      {isRetrying && ' This page tries again by itself.'}
    </Banner>
  )
}

type KeyHint = readonly [keys: readonly string[], effect: string]

/** On a question for text, letters are written until then. */
const leaveKeys = ['Esc']

/** In one line: those that do not fit are hidden, and the first one leads to all. */
const keyHints: readonly KeyHint[] = [
  [['?'], 'all keys'],
  [['↑', '↓'], 'fields'],
  [['1 to 9'], 'choose'],
  [['Enter'], 'next'],
  [['mod+Enter'], 'done'],
  [leaveKeys, 'leave the text'],
  [['S'], 'skip'],
  [['U'], 'undo'],
  [['←', '→'], 'items'],
]

/** Where no item is shown. */
const endKeyHints: readonly KeyHint[] = [
  [['?'], 'all keys'],
  [['U'], 'undo'],
  [['←'], 'previous item'],
]

import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useRouter } from 'wouter'
import type { Turn } from '../../../contract/turns'
import { useConnection } from '../../client/connection-context'
import { formatTime } from '../../format/instant'
import { ForeignText } from '../../format/ForeignText'
import { usePreferences } from '../../format/preferences'
import { toCallHref } from '../../format/thread-href'
import { PanelSection } from '../../table/grid/RowPanel'
import { reviewedCallQuery, threadTurnsQuery, toDisplayFields } from './review-queries'
import { CallFields } from './CallFields'

/** Turns before and after the one under review. */
const turnsAround = 3

type Props = { threadId: string; turnId: string; callId: string }

/** The thread of a call under review: the turns before and after its own. All but a turn that is under review open in place. */
export function ThreadAround({ threadId, turnId, callId }: Props) {
  const { data } = useQuery(threadTurnsQuery(threadId, useConnection()))
  const turns = data?.rows ?? []
  const place = turns.findIndex(({ id }) => id === turnId)
  const router = useRouter()
  const href = toCallHref({ id: callId, thread_id: threadId, turn_id: turnId })
  const from = Math.max(0, place - turnsAround)
  return (
    <PanelSection
      title="Thread"
      aside={
        href && (
          // The project is part of what a new tab opens.
          <a href={router.hrefs(href, router)} target="_blank" rel="noreferrer" className="text-accent underline">
            Open the thread<span className="sr-only"> in a new tab</span>
          </a>
        )
      }
    >
      {data && place < 0 && <p className="text-quiet">The turns around this call are listed in the thread.</p>}
      {place >= 0 && (
        <ol aria-label="Turns around" start={from + 1}>
          {turns.slice(from, place + turnsAround + 1).map((turn, index) => (
            <li key={turn.id} className="border-t border-line first:border-t-0">
              {turn.id === callId ? (
                <p aria-current="true" className="flex items-baseline py-1 pl-4.5 font-semibold inset-shadow-mark">
                  <TurnLine turn={turn} number={from + index + 1} note="under review" />
                </p>
              ) : (
                <OtherTurn turn={turn} number={from + index + 1} hasCall={turn.id === turnId} />
              )}
            </li>
          ))}
        </ol>
      )}
    </PanelSection>
  )
}

/** Wide, and nothing where a line breaks: a margin would indent the next one. */
const space = '\u2002'

/** In a flex box: further lines begin under the first one's text. */
function TurnLine({ turn, number, note }: { turn: Turn; number: number; note: string | false }) {
  const { zone } = usePreferences()
  return (
    <>
      <span className="sr-only">Turn </span>
      <span className="mr-2 text-xs text-faint tabular-nums">{number}</span>
      <span className="min-w-0 wrap-anywhere">
        <ForeignText text={turn.first_words ?? turn.name} />
        {turn.status === 'error' && <span className="text-bad">{space}failed</span>}
        {space}
        <span className="text-xs font-normal whitespace-nowrap text-faint tabular-nums">{formatTime(turn.started_at, zone)}</span>
        {note && space}
        {note && <span className="text-xs font-normal whitespace-nowrap text-accent">{note}</span>}
      </span>
    </>
  )
}

/** `hasCall`: the call under review is below it. */
function OtherTurn({ turn, number, hasCall }: { turn: Turn; number: number; hasCall: boolean }) {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <details aria-current={hasCall || undefined} onToggle={(event) => setIsOpen(event.currentTarget.open)}>
      <summary className="flex items-baseline py-1 hover:bg-hover">
        <TurnLine turn={turn} number={number} note={hasCall && 'has the call under review'} />
      </summary>
      {isOpen && <TurnContent id={turn.id} />}
    </details>
  )
}

const inputsAndOutput = toDisplayFields({ display_fields: [] })

function TurnContent({ id }: { id: string }) {
  const { data, error } = useQuery(reviewedCallQuery(id, inputsAndOutput, useConnection()))
  if (error) return <p className="text-bad">{error.message}</p>
  if (!data?.call) return <p className="text-quiet">{data ? 'This turn is not there any more.' : 'Reading…'}</p>
  return <CallFields call={data.call} parts={data.parts} displayFields={inputsAndOutput} />
}

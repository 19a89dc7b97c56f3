import { useQuery } from '@tanstack/react-query'
import { useConnection } from '../../client/connection-context'
import { ForeignText } from '../../format/ForeignText'
import { formatVisibleLines } from '../../format/visible-text'
import { usePreferences } from '../../format/preferences'
import { Time } from '../../format/Time'
import { PanelSection } from '../../table/grid/RowPanel'
import { formatAnswer, latestAnswersQuery } from './latest-answers'

/** What people answered for a call, in queues and elsewhere. */
export function CallAnswers({ callId }: { callId: string }) {
  const { data } = useQuery(latestAnswersQuery([callId], useConnection()))
  const { zone } = usePreferences()
  if (!data || data.length === 0) return null
  return (
    <PanelSection title="Judged by people">
      <ul>
        {data.map(({ id, scorer, value, annotator, createdAt, isCorrected }) => (
          <li key={id} className="flex flex-wrap items-baseline gap-x-3 py-0.5">
            <span className="text-quiet">
              <ForeignText text={scorer} />
            </span>
            <span className="min-w-0 font-semibold whitespace-pre-wrap wrap-anywhere">
              <bdi>{formatVisibleLines(formatAnswer(value))}</bdi>
            </span>
            <span className="text-xs text-quiet">
              <ForeignText text={annotator} /> · <Time iso={createdAt} zone={zone} />
              {isCorrected && ' · corrected'}
            </span>
          </li>
        ))}
      </ul>
    </PanelSection>
  )
}

type TurnProps = { callIds: readonly string[]; toName: (callId: string) => string; onOpen: (callId: string) => void }

/** The calls of a turn that people have judged. */
export function TurnAnswers({ callIds, toName, onOpen }: TurnProps) {
  const { data } = useQuery(latestAnswersQuery(callIds, useConnection()))
  if (!data || data.length === 0) return null
  return (
    <section aria-label="Judged by people" className="flex flex-wrap items-baseline gap-x-4 gap-y-1 px-4 pb-2">
      <span className="text-quiet">Judged:</span>
      {data.map(({ id, callId, scorer, value, annotator, createdAt }) => (
        <button
          key={id}
          type="button"
          title={`${toName(callId)}, by ${annotator}, ${createdAt}`}
          className="flex max-w-full cursor-pointer items-baseline gap-x-1 whitespace-nowrap hover:underline"
          onClick={() => onOpen(callId)}
        >
          {/* Each part is cut by itself: a long name must not hide the answer. */}
          <span className="max-w-40 min-w-8 truncate">
            <ForeignText text={scorer} />
          </span>
          <span className="max-w-40 min-w-8 truncate font-semibold">
            <ForeignText text={formatAnswer(value).split('\n', 1)[0] ?? ''} />
          </span>
          <span className="max-w-32 min-w-8 truncate text-xs text-quiet">
            <ForeignText text={annotator} />
          </span>
        </button>
      ))}
    </section>
  )
}

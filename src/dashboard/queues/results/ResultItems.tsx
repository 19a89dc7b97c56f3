import type { CSSProperties } from 'react'
import { Link } from 'wouter'
import type { QueueResults } from '../../../contract/queue-results'
import { formatCount, formatQuantity } from '../../format/count'
import type { CallPlace } from '../../client/call-places'
import { ForeignText } from '../../format/ForeignText'
import { formatExactTime } from '../../format/instant'
import { formatOpName } from '../../format/op-name'
import { usePreferences } from '../../format/preferences'
import { RefVersion } from '../../format/RefVersion'
import { Time } from '../../format/Time'
import { formatVisibleText } from '../../format/visible-text'
import { Button } from '../../ui/Button'
import { toCallHref } from '../../format/thread-href'
import { useCallPlaces } from '../detail/use-call-places'
import type { VersionByRef } from './answer-rows'
import { formatAnswer } from './format-answer'

export const itemsPerPage = 25

type Props = {
  items: QueueResults['items']
  disagreedCount: number
  page: number
  hasMore: boolean
  onPage: (page: number) => void
  versionByRef: VersionByRef
  /** What specs call their scorers, by the name in a reference. */
  titles: ReadonlyMap<string, string>
}

/** The items with answers, those that people disagree on first: the answers of all people beside each other. */
export function ResultItems({ items, disagreedCount, page, hasMore, onPage, versionByRef, titles }: Props) {
  const { places } = useCallPlaces(items.map(({ call_id: id }) => id))
  const first = (page - 1) * itemsPerPage
  // Where they are few, each person has the same column in all items.
  const everyone = listAnnotators(items.flatMap(({ answers }) => answers))
  return (
    <section aria-label="Items with answers" className="border-t border-line px-4 py-4">
      <h2 className="font-semibold">Items with answers</h2>
      <p className="mb-2 text-quiet">
        {disagreedCount === 0
          ? 'Nobody disagrees.'
          : `People disagree on ${formatQuantity(disagreedCount, 'item')}: ${disagreedCount === 1 ? 'it comes' : 'they come'} first.`}
      </p>
      <ol className="border-t border-line" start={first + 1}>
        {items.map((item) => (
          <li key={item.item_id} className="border-b border-line py-2">
            <Item
              item={item}
              annotators={everyone.length > maxColumns ? listAnnotators(item.answers) : everyone}
              place={places.get(item.call_id)}
              versionByRef={versionByRef}
              titles={titles}
            />
          </li>
        ))}
      </ol>
      {items.length === 0 && <p className="text-quiet">There are no items on this page.</p>}
      {(page > 1 || hasMore) && (
        <nav aria-label="Pages of items" className="mt-2 flex items-center gap-2 tabular-nums">
          <Button disabled={page === 1} onClick={() => onPage(page - 1)}>
            Previous
          </Button>
          <Button disabled={!hasMore} onClick={() => onPage(page + 1)}>
            Next
          </Button>
          <span className="text-quiet">
            {`Items ${formatCount(String(first + 1))}-${formatCount(String(first + items.length))}, ${hasMore ? 'more follow' : 'end of list'}`}
          </span>
        </nav>
      )}
    </section>
  )
}

const maxColumns = 6

type ItemResult = QueueResults['items'][number]

function listAnnotators(answers: ItemResult['answers']): string[] {
  return [...new Set(answers.map(({ annotator }) => annotator))].toSorted()
}

type ItemProps = Pick<Props, 'versionByRef' | 'titles'> & {
  item: ItemResult
  annotators: readonly string[]
  place: CallPlace | undefined
}

function Item({ item: { call_id: callId, answers, disagreements }, annotators, place, versionByRef, titles }: ItemProps) {
  const { zone } = usePreferences()
  const href = place && toCallHref(place)
  const scorers = [...new Set(answers.map(({ scorer }) => scorer))].toSorted(
    (left, right) => Number(disagreements.includes(right)) - Number(disagreements.includes(left)),
  )
  return (
    <>
      <p className="flex flex-wrap items-baseline gap-x-3 wrap-anywhere">
        {place?.op_name && (
          <span className="line-clamp-2">
            <ForeignText text={formatOpName(place.op_name)} />
          </span>
        )}
        {place?.thread_id && (
          <span className="line-clamp-2 text-quiet">
            thread <ForeignText text={place.thread_id} />
          </span>
        )}
        <code className="font-mono text-xs break-all">
          {href ? (
            <Link href={href} className="text-accent hover:underline" title="Open the call in its thread">
              <ForeignText text={callId} />
            </Link>
          ) : (
            <ForeignText text={callId} />
          )}
        </code>
        {disagreements.length > 0 && <span className="text-warn">disagreement</span>}
        <span className="text-xs text-faint">
          last answer{' '}
          <Time
            iso={
              answers
                .map(({ created_at: at }) => at)
                .toSorted()
                .at(-1) ?? ''
            }
            zone={zone}
          />
        </span>
      </p>
      <div className="overflow-x-auto">
        <table
          aria-label={`Answers for ${callId}`}
          className="answer-table item-table mt-1 border-collapse"
          style={{ '--people': annotators.length } as CSSProperties}
        >
          <thead>
            <tr className="text-left text-xs text-quiet">
              <th className="pr-6 font-normal">Scorer</th>
              {annotators.map((annotator) => (
                <th key={annotator} className="pr-6 font-normal wrap-anywhere">
                  <ForeignText text={annotator} />
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {scorers.map((scorer) => {
              const own = answers.filter((each) => each.scorer === scorer)
              const hasVersions = new Set(own.map(({ annotation_ref: ref }) => ref)).size > 1
              return (
                <tr key={scorer} className="align-top">
                  <th
                    scope="row"
                    className={`pr-6 text-left break-words ${disagreements.includes(scorer) ? 'font-semibold' : 'font-normal text-quiet'}`}
                  >
                    <ForeignText text={titles.get(scorer) ?? scorer} />
                  </th>
                  {annotators.map((annotator) => {
                    const answer = own.find((each) => each.annotator === annotator)
                    return (
                      <td
                        key={annotator}
                        data-label={formatVisibleText(annotator)}
                        className={`pr-6 wrap-anywhere ${answer ? '' : 'max-sm:hidden!'}`}
                      >
                        {answer ? (
                          <span className="line-clamp-3 whitespace-pre-wrap" title={formatExactTime(answer.created_at)}>
                            <bdi>{formatAnswer(answer.value)}</bdi>
                            <span className="text-xs text-faint">
                              {hasVersions && (
                                <>
                                  {' '}
                                  <RefVersion
                                    scorerRef={answer.annotation_ref}
                                    version={versionByRef.get(answer.annotation_ref)}
                                  />
                                </>
                              )}
                              {answer.answer_count > 1 && ' corrected'}
                            </span>
                          </span>
                        ) : (
                          <span className="text-faint">—</span>
                        )}
                      </td>
                    )
                  })}
                </tr>
              )
            })}
          </tbody>
        </table>
      </div>
    </>
  )
}

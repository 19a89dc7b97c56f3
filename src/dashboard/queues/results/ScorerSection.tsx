import { Fragment, useMemo } from 'react'
import type { QueueResults, ScorerResult } from '../../../contract/queue-results'
import { usesSession } from '../../client/connection'
import { useConnection } from '../../client/connection-context'
import { formatCount, formatQuantity } from '../../format/count'
import { formatDuration, formatExactDuration } from '../../format/duration'
import { ForeignText } from '../../format/ForeignText'
import { RefVersion } from '../../format/RefVersion'
import { cutMiddle } from '../../format/visible-text'
import { AgreementFigures } from './AgreementFigures'
import { toAnsweredThreadsHref } from './answered-threads'
import { Bars } from './Bars'
import { buildHistogram } from './build-histogram'
import type { VersionByRef } from './answer-rows'
import { formatAnswer, formatMean, formatShare } from './format-answer'
import { LatestTexts } from './LatestTexts'

const kinds: Record<ScorerResult['kind'], string> = {
  boolean: 'yes or no',
  number: 'number',
  category: 'one of a list',
  text: 'text',
  other: 'several values',
}

type Props = {
  queueId: string
  result: ScorerResult
  /** What its spec calls it, or the name in its reference. */
  title: string
  people: QueueResults['annotators']
  versionByRef: VersionByRef
}

/** What people answered for one scorer. */
export function ScorerSection({ queueId, result, title, people, versionByRef }: Props) {
  const { name, kind, versions, answer_count: count, item_count: itemCount } = result
  return (
    <section aria-label={`Scorer ${title}`} className="border-t border-line px-4 py-4">
      <h2 className="font-semibold wrap-anywhere">
        <ForeignText text={title} />
      </h2>
      <p className="mb-3 text-quiet wrap-anywhere">
        {title !== name && (
          <>
            <ForeignText text={name} /> ·{' '}
          </>
        )}
        {kinds[kind]} · {formatQuantity(count, 'answer')} for {formatQuantity(itemCount, 'item')}
        {versions.map(({ ref, answer_count: own }, index) => (
          <Fragment key={ref}>
            {index === 0 ? ' · ' : ', '}
            <RefVersion scorerRef={ref} version={versionByRef.get(ref)} />
            {versions.length > 1 && `: ${formatCount(String(own))}`}
          </Fragment>
        ))}
      </p>
      {count === 0 ? (
        <p className="text-quiet">Nobody has answered this yet.</p>
      ) : (
        <div className="flex flex-col gap-4">
          {versions.length > 1 && (
            <p className="text-warn">
              {`People answered for ${versions.length} versions of this scorer. Their answers are counted together here, and the export names the version of each.`}
            </p>
          )}
          <Distribution queueId={queueId} result={result} title={title} />
          <Annotators result={result} title={title} people={people} />
          <AgreementFigures result={result} />
        </div>
      )}
    </section>
  )
}

/** The service names so many values. */
const maxValues = 100

function Distribution({ queueId, result, title }: Pick<Props, 'queueId' | 'result' | 'title'>) {
  const { name, kind, values, answer_count: count, mean, median, min, max } = result
  // Of other services nobody knows whether they find threads by answers.
  const isSpool = usesSession(useConnection())
  const bars = useMemo(() => {
    const toHref = (value: unknown) => (isSpool ? toAnsweredThreadsHref(name, value) : undefined)
    if (kind !== 'number')
      return values.map(({ value, count: own }) => ({ label: formatAnswer(value), count: own, href: toHref(value) }))
    const histogram = buildHistogram(values.map(({ value, count: own }) => ({ value: Number(value), count: own })))
    return histogram.map(({ from, to, count: own }) =>
      from === to
        ? { label: String(from), count: own, href: own > 0 ? toHref(from) : undefined }
        : { label: `${from} to ${to}`, count: own },
    )
  }, [kind, values, name, isSpool])
  if (kind === 'text' || kind === 'other') return <LatestTexts queueId={queueId} scorer={name} title={title} />
  return (
    <div>
      <Bars label={`Answers for ${title}`} bars={bars} total={count} />
      {kind === 'number' && mean !== null && (
        <p className="mt-1 text-quiet tabular-nums">
          mean {formatMean(mean)}
          {median !== null && ` · median ${formatMean(median)}`}
          {min !== null && max !== null && ` · from ${min} to ${max}`}
        </p>
      )}
      {values.length === maxValues && <p className="mt-1 text-quiet">{`The ${maxValues} most frequent answers.`}</p>}
    </div>
  )
}

const timeLabel = 'Time per item (median)'

function Annotators({ result, title, people }: Pick<Props, 'result' | 'title' | 'people'>) {
  const isNumber = result.kind === 'number'
  const isCompared = result.values.length > 0
  const valuesLabel = isNumber ? 'Mean' : 'Answers given'
  return (
    <div className="overflow-x-auto">
      <table aria-label={`People who answered ${title}`} className="answer-table people-table border-collapse">
        <thead>
          <tr className="text-left text-xs whitespace-nowrap text-quiet">
            <th className="pr-6 font-normal">Person</th>
            <th className="pr-6 text-right font-normal">Answers</th>
            {isCompared && <th className={`pr-6 font-normal ${isNumber ? 'text-right' : ''}`}>{valuesLabel}</th>}
            <th className="text-right font-normal">{timeLabel}</th>
          </tr>
        </thead>
        <tbody>
          {result.annotators.map(({ annotator, answer_count: count, values, mean }) => {
            const time = people.find((each) => each.annotator === annotator)?.median_review_ms ?? null
            return (
              <tr key={annotator} className="border-t border-line">
                <th scope="row" className="py-1 pr-6 text-left font-normal">
                  <ForeignText text={annotator} />
                </th>
                <td data-label="Answers" className="pr-6 text-right tabular-nums">
                  {formatCount(String(count))}
                </td>
                {isCompared && (
                  <td data-label={valuesLabel} className={`pr-6 tabular-nums ${isNumber ? 'text-right' : ''}`}>
                    {isNumber ? (mean === null ? '—' : formatMean(mean)) : formatShares(values, count)}
                  </td>
                )}
                <td data-label={timeLabel} className="text-right tabular-nums">
                  {time === null ? (
                    <span className="text-faint">—</span>
                  ) : (
                    <span title={formatExactDuration(time)}>{formatDuration(time)}</span>
                  )}
                </td>
              </tr>
            )
          })}
        </tbody>
      </table>
    </div>
  )
}

const maxShares = 4
const maxShareLength = 40

function formatShares(values: ScorerResult['values'], count: number): string {
  const shares = values
    .slice(0, maxShares)
    .map((each) => `${cutMiddle(formatAnswer(each.value), maxShareLength)} ${formatShare(each.count, count)}`)
  return [...shares, ...(values.length > maxShares ? [`${values.length - maxShares} more`] : [])].join(', ')
}

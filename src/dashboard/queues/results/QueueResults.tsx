import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link } from 'wouter'
import { parseAnnotationSpec } from '../../../contract/annotation-spec'
import { readRefs } from '../../../contract/objects'
import { type QueueResults as Results, readQueueResults } from '../../../contract/queue-results'
import type { Queue } from '../../../contract/queues'
import { NotFoundError } from '../../client/api-error'
import { usesSession } from '../../client/connection'
import { useConnection } from '../../client/connection-context'
import { endpointQuery } from '../../client/endpoint-query'
import { useVersionByRef } from '../../client/object-versions'
import { queueToFill } from '../../table/add-to-queue/queue-to-fill'
import { useLiveRows } from '../../table/grid/use-live-rows'
import { formatCount } from '../../format/count'
import { integerParam } from '../../table/view/url-params'
import { useUrlState } from '../../table/view/use-url-state'
import { buttonClass } from '../../ui/button-class'
import { EmptyState } from '../../ui/EmptyState'
import { Skeleton } from '../../ui/Skeleton'
import { ListFailure } from '../detail/ListFailure'
import { toQueueHref, toReviewHref, toScorersHref } from '../detail/queue-hrefs'
import { itemsPerPage, ResultItems } from './ResultItems'
import { toSpecRefs } from '../review/answer-fields'
import { ResultsExport } from './ResultsExport'
import { ScorerSection } from './ScorerSection'

/** `answers` is the page of the items with answers. */
const resultParams = { answers: integerParam(1, (page) => page >= 1 && page <= 100_000) }

/** What people answered in a queue: for each scorer, and for each item. */
export function QueueResults({ queue }: { queue: Queue }) {
  const connection = useConnection()
  const [{ answers: page }, setView] = useUrlState(resultParams)
  const input = {
    queue_id: queue.id,
    project_id: connection.projectId,
    limit: itemsPerPage + 1,
    offset: (page - 1) * itemsPerPage,
  }
  const { data, error, isFetching, refetch } = useQuery({
    ...endpointQuery(readQueueResults, input, connection),
    placeholderData: keepPreviousData,
  })
  useLiveRows(usesSession(connection) ? 'queues' : undefined, { isFetching, refetch })
  const versionByRef = useVersionByRef(data?.scorers.flatMap((scorer) => scorer.versions.map(({ ref }) => ref)) ?? [])
  const titles = useScorerTitles(data?.scorers ?? [])
  if (!data) {
    if (error instanceof NotFoundError) return <EmptyState>This service keeps no results of queues.</EmptyState>
    if (error) return <ListFailure title="The results could not be read" error={error} refetch={refetch} />
    return (
      <output aria-label="Reading the results" className="flex flex-col gap-3 border-t border-line px-4 py-4">
        <Skeleton className="h-4 w-48" />
        <Skeleton className="h-4 w-72" />
      </output>
    )
  }
  const count = (number: number) => formatCount(String(number))
  const answerCount = data.scorers.reduce((sum, scorer) => sum + scorer.answer_count, 0)
  const failure = error && (
    <ListFailure title="The refresh failed; this is what was read before" error={error} refetch={refetch} />
  )
  if (data.items.length === 0 && page === 1) {
    return (
      <>
        {failure}
        <NoResults queue={queue} results={data} />
      </>
    )
  }
  return (
    <div>
      {failure}
      <div className="flex flex-wrap items-center justify-between gap-2 px-4 pb-3">
        <p>
          {`${count(data.completed_items)} of ${count(data.total_items)} items have all their reviews`}
          {data.skipped_items > 0 && `, ${count(data.skipped_items)} skipped`}
          {data.disagreed_items > 0 && `, people disagree on ${count(data.disagreed_items)}`}.
        </p>
        <ResultsExport queue={queue} versionByRef={versionByRef} answerCount={answerCount} />
      </div>
      {data.scorers.map((result) => (
        <ScorerSection
          key={result.name}
          queueId={queue.id}
          result={result}
          title={titles.get(result.name) ?? result.name}
          people={data.annotators}
          versionByRef={versionByRef}
        />
      ))}
      <ResultItems
        items={data.items.slice(0, itemsPerPage)}
        disagreedCount={data.disagreed_items}
        page={page}
        hasMore={data.items.length > itemsPerPage}
        onPage={(next) => setView({ answers: next })}
        versionByRef={versionByRef}
        titles={titles}
      />
    </div>
  )
}

/** What the scorers are called in their specs, by the name in their references: reviewers were shown these. */
function useScorerTitles(scorers: Results['scorers']): ReadonlyMap<string, string> {
  const connection = useConnection()
  const specs = scorers.flatMap(({ name, versions }) =>
    toSpecRefs(
      versions.map(({ ref }) => ref),
      connection.projectId,
    )
      .slice(0, 1)
      .map((ref) => ({ name, ref })),
  )
  const { data } = useQuery({
    ...endpointQuery(readRefs, { refs: specs.map(({ ref }) => ref) }, connection),
    enabled: specs.length > 0,
  })
  return new Map(
    specs.flatMap(({ name }, index) => {
      const title = parseAnnotationSpec(data?.vals[index])?.name
      return title ? [[name, title] as const] : []
    }),
  )
}

/** Why there are no results yet, and what to do next. */
function NoResults({ queue, results }: { queue: Queue; results: Results }) {
  const toFill = queueToFill(useConnection())
  const { total_items: total, completed_items: completed, skipped_items: skipped } = results
  const [reason, label, href] =
    total === 0
      ? ['The queue has no items to review.', 'Choose turns in Threads', '/threads']
      : queue.scorer_refs.length === 0
        ? ['The queue has no scorers: reviewers have nothing to answer.', 'Add scorers', toScorersHref(queue.id)]
        : completed + skipped < total
          ? ['Answers appear here as soon as a reviewer completes an item.', 'Review the items', toReviewHref(queue.id)]
          : ['No item is open, and nobody gave an answer.', 'Show the items', toQueueHref(queue.id)]
  return (
    <EmptyState
      action={
        <Link href={href} className={buttonClass()} onClick={total === 0 ? () => toFill.write(queue) : undefined}>
          {label}
        </Link>
      }
    >
      No results yet. {reason}
    </EmptyState>
  )
}

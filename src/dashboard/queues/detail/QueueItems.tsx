import { useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import { Link } from 'wouter'
import { annotationStates, queryQueueStats } from '../../../contract/queue-items'
import { type Queue, readQueue } from '../../../contract/queues'
import { NotFoundError } from '../../client/api-error'
import { usesSession } from '../../client/connection'
import { refetchUnknownPlaces } from '../../client/call-places'
import { useConnection } from '../../client/connection-context'
import { refetchShown } from '../../client/refetch-operation'
import { usePreferences } from '../../format/preferences'
import { ChoiceChip } from '../../table/filter/ChoiceChip'
import { DataTable } from '../../table/grid/DataTable'
import { queueToFill } from '../../table/add-to-queue/queue-to-fill'
import { useCanAddToQueue } from '../../table/add-to-queue/use-can-add-to-queue'
import { useDebouncedText } from '../../table/view/use-debounced-text'
import { useRemoteTable } from '../../table/view/use-remote-table'
import { useUrlState } from '../../table/view/use-url-state'
import { EmptyState } from '../../ui/EmptyState'
import { SearchInput } from '../../ui/SearchInput'
import { type ItemDisplay, stateLabels } from './item-columns'
import { itemParams, itemTable, liveItemTable, plainItemTable } from './queue-view'
import { useCallPlaces } from './use-call-places'

type Props = {
  queue: Queue
  /** The service has the Spool extensions: the filters by reviewer and disagreement. */
  hasReviews: boolean
}

const stateChoices = [
  { value: 'any' as const, label: 'Any state' },
  ...annotationStates.map((value) => ({ value, label: stateLabels[value] })),
]
const reviewerChoices = [
  { value: 'any' as const, label: 'Agreed or not' },
  { value: 'disagreed' as const, label: 'Disagreed' },
]

/** The items of a queue: what is done, by whom, and who has which now. */
export function QueueItems({ queue, hasReviews }: Props) {
  const [view, setView] = useUrlState(itemParams)
  const connection = useConnection()
  const { zone } = usePreferences()
  const queryClient = useQueryClient()
  const canAdd = useCanAddToQueue()
  const [annotator, setAnnotator] = useDebouncedText(view.annotator, (text) => setView({ annotator: text }, { replace: true }))
  const filter = {
    ...(view.state !== 'any' && { annotation_states: [view.state] }),
    ...(view.annotator !== '' && { completed_by: view.annotator.trim() }),
    ...(view.reviewers === 'disagreed' && { has_disagreement: true }),
  }
  const isFiltered = Object.keys(filter).length > 0
  const table = useRemoteTable(!hasReviews ? plainItemTable : usesSession(connection) ? liveItemTable : itemTable, {
    view,
    setView,
    toInput: (page) => ({ ...page, queue_id: queue.id, ...(isFiltered && { filter }) }),
    onRefetch: () => {
      // The figures above belong to the rows.
      for (const operation of [queryQueueStats, readQueue]) void refetchShown(queryClient, operation)
      // A turn may come after the calls below it.
      void refetchUnknownPlaces(queryClient)
      return false
    },
  })
  const { rows, error } = table.data
  const callIds = useMemo(() => (rows ?? []).map(({ call_id: id }) => id).toSorted(), [rows])
  const { places, areRead: arePlacesRead } = useCallPlaces(callIds)
  const { reviews_per_item: reviewsPerItem } = queue
  const now = table.lastUpdatedAt
  const display = useMemo(
    (): ItemDisplay => ({ zone, now, places, arePlacesRead, reviewsPerItem }),
    [zone, now, places, arePlacesRead, reviewsPerItem],
  )
  if (error instanceof NotFoundError && rows === undefined) {
    return <EmptyState>This service does not list the items of a queue: it has no /annotation_queues/…/items/query.</EmptyState>
  }
  return (
    <DataTable
      table={table}
      display={display}
      filters={
        <>
          <ChoiceChip
            label="State"
            value={view.state}
            choices={stateChoices}
            unsetValue="any"
            onChange={(state) => setView({ state })}
          />
          {(hasReviews || view.reviewers !== 'any') && (
            <ChoiceChip
              label="Reviewers"
              value={view.reviewers}
              choices={reviewerChoices}
              unsetValue="any"
              onChange={(reviewers) => setView({ reviewers })}
            />
          )}
          {(hasReviews || view.annotator !== '') && (
            <SearchInput label="Reviewed by" value={annotator} onChange={setAnnotator} className="w-44 max-sm:w-full" />
          )}
        </>
      }
      onClearFilters={isFiltered ? () => setView({ state: 'any', annotator: '', reviewers: 'any' }) : undefined}
      emptyMessage={
        canAdd ? (
          <>
            This queue has no items yet. Choose turns in{' '}
            <Link href="/threads" className="text-accent underline" onClick={() => queueToFill(connection).write(queue)}>
              Threads
            </Link>{' '}
            and add them.
          </>
        ) : (
          'This queue has no items.'
        )
      }
    />
  )
}

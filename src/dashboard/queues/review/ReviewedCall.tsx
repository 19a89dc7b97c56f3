import { useQuery } from '@tanstack/react-query'
import { memo, useMemo } from 'react'
import type { QueueItem } from '../../../contract/queue-items'
import { callPlacesQuery } from '../../client/call-places'
import { useConnection } from '../../client/connection-context'
import { ForeignText } from '../../format/ForeignText'
import { formatOpName } from '../../format/op-name'
import { usePreferences } from '../../format/preferences'
import { Time } from '../../format/Time'
import { LongText } from '../../payload/LongText'
import { FailureActions, formatFailure } from '../../table/grid/Failure'
import { PanelSection } from '../../table/grid/RowPanel'
import { Banner } from '../../ui/Banner'
import { Skeleton } from '../../ui/Skeleton'
import { reviewedCallQuery, toDisplayFields } from './review-queries'
import { CallFields } from './CallFields'
import { ThreadAround } from './ThreadAround'

/** The call of an item: what its reviewer is to see of it, and the turns around it. */
export const ReviewedCall = memo(function ReviewedCall({ item }: { item: QueueItem }) {
  const connection = useConnection()
  const { zone } = usePreferences()
  const displayFields = useMemo(() => toDisplayFields(item), [item])
  const { data, error, refetch } = useQuery(reviewedCallQuery(item.call_id, displayFields, connection))
  const call = data?.call
  // Without its place, a call is still in the thread that it names itself.
  const place = useQuery(callPlacesQuery([item.call_id], connection)).data?.get(item.call_id) ?? call
  return (
    <section aria-label="Call to review" className="min-w-0">
      <div className="flex flex-wrap items-baseline gap-x-3 px-4 pb-2 text-quiet">
        <h2 className="min-w-0 font-semibold wrap-anywhere text-text">
          <ForeignText text={call?.display_name ?? formatOpName(item.call_op_name)} />
        </h2>
        <Time iso={item.call_started_at} zone={zone} />
      </div>
      {error && !data && (
        <Banner
          tone="bad"
          className="mx-4 mb-3"
          title="The call could not be read"
          actions={<FailureActions error={error} refetch={refetch} />}
        >
          {formatFailure(error)}
        </Banner>
      )}
      {call === null && <p className="px-4 text-quiet">This call is not there any more. Skip it.</p>}
      {!data && !error && (
        <output aria-label="Loading the call" className="block px-4 py-3">
          <Skeleton className="h-3 w-64" />
        </output>
      )}
      {call && (
        <>
          {call.exception !== null && (
            <PanelSection title="Exception">
              <LongText key={call.id} text={call.exception} className="text-bad" />
            </PanelSection>
          )}
          <CallFields call={call} parts={data?.parts} displayFields={displayFields} />
          {place?.thread_id && <ThreadAround threadId={place.thread_id} turnId={place.turn_id ?? call.id} callId={call.id} />}
        </>
      )}
    </section>
  )
})

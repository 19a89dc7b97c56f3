import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { toAnnotationType } from '../../../contract/annotation-spec'
import { receiveFeedback } from '../../../contract/received-feedback'
import { useConnection } from '../../client/connection-context'
import { endpointQuery } from '../../client/endpoint-query'
import { ForeignText } from '../../format/ForeignText'
import { usePreferences } from '../../format/preferences'
import { Time } from '../../format/Time'
import { Button } from '../../ui/Button'
import { Skeleton } from '../../ui/Skeleton'
import { ListFailure } from '../detail/ListFailure'
import { formatAnswer } from './format-answer'

const step = 10
const maxShown = 500

/** Texts are not counted by value: the latest ones, with who wrote them. */
export function LatestTexts({ queueId, scorer, title }: { queueId: string; scorer: string; title: string }) {
  const connection = useConnection()
  const { zone } = usePreferences()
  const [limit, setLimit] = useState(step)
  const is = (field: string, value: string) => ({ $eq: [{ $getField: field }, { $literal: value }] })
  const input = {
    project_id: connection.projectId,
    query: { $expr: { $and: [is('queue_id', queueId), is('feedback_type', toAnnotationType(scorer))] } },
    fields: ['id', 'created_at', 'wb_user_id', 'payload.value'],
    limit: limit + 1,
  }
  const { data, error, refetch } = useQuery({
    ...endpointQuery(receiveFeedback, input, connection),
    placeholderData: keepPreviousData,
  })
  if (error) return <ListFailure title="The texts could not be read" error={error} refetch={refetch} />
  if (!data) return <Skeleton className="h-4 w-72" />
  const hasMore = data.result.length > limit
  return (
    <div>
      <ul aria-label={`Latest answers for ${title}`} className="max-w-200 border-t border-line">
        {data.result.slice(0, limit).map((row) => (
          <li key={String(row['id'])} className="border-b border-line py-1.5">
            <p className="line-clamp-6 whitespace-pre-wrap wrap-anywhere [unicode-bidi:plaintext]">
              {formatAnswer(row['payload.value'])}
            </p>
            <p className="text-xs text-quiet">
              <ForeignText text={String(row['wb_user_id'])} /> · <Time iso={String(row['created_at'])} zone={zone} />
            </p>
          </li>
        ))}
      </ul>
      {hasMore && limit < maxShown && (
        <Button className="mt-2" onClick={() => setLimit(Math.min(maxShown, limit * 5))}>
          Show more
        </Button>
      )}
      {hasMore && limit >= maxShown && <p className="mt-2 text-quiet">The latest {maxShown}. The export has all.</p>}
    </div>
  )
}

import type * as z from 'zod/mini'
import type { QueryCalls } from '../../contract/call-requests'
import { fieldsIn } from './call-conditions'

type Asked = Pick<z.output<typeof QueryCalls>, 'filter' | 'query' | 'sort_by'>

/** Whether which calls are turns decides what is answered, or in what order. */
export function asksForTurns({ filter, query, sort_by: sortBy = [] }: Asked): boolean {
  return (
    Boolean(filter?.turn_ids?.length) ||
    sortBy.some(({ field }) => field === 'turn_id') ||
    (query !== undefined && fieldsIn(query.$expr).includes('turn_id'))
  )
}

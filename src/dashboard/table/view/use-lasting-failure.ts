import { useState } from 'react'

/**
 * The error of a query, also while it is sent again. The query itself forgets it with the first rows of the next attempt, and
 * an incomplete list would stand there without its warning. `key` differs between requests: the failure of another request
 * stays only until this one has data.
 */
export function useLastingFailure(
  { data, error, isFetching }: { data: unknown; error: Error | null; isFetching: boolean },
  key: string,
): Error | null {
  const [failure, setFailure] = useState<{ error: Error; key: string }>()
  if (error) {
    if (failure?.error !== error || failure.key !== key) setFailure({ error, key })
    return error
  }
  const lasts = failure !== undefined && isFetching && (data === undefined || failure.key === key)
  if (failure && !lasts) setFailure(undefined)
  return lasts ? failure.error : null
}

import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { useConnection } from '../client/connection-context'
import { spendRows } from './spend/spend-rows'
import { parseWorkload, type Workload } from './workload'

const mixDays = 30

/**
 * The tokens that prices are compared by; undefined where none are chosen, or what the project has used is not known yet.
 * `problem` says why it will not be known.
 */
export function useWorkload(text: string): { tokens: Workload | undefined; problem: string | undefined } {
  const connection = useConnection()
  const isMix = text === 'mix'
  const [openedAt] = useState(() => Date.now())
  // The start of a day: the same request all day.
  const day = new Date(openedAt - mixDays * 86_400_000).toISOString().slice(0, 10)
  const input = { project_id: connection.projectId, filter: { after_datetime: `${day}T00:00:00Z` } }
  const { data, error } = useQuery({ ...spendRows.toQuery(input, connection), enabled: isMix })
  const total = data?.rows[0]
  const tokens = useMemo((): Workload | undefined => {
    if (!isMix) return parseWorkload(text)
    return (
      total && {
        prompt: total.prompt_tokens,
        completion: total.completion_tokens,
        cacheRead: total.cache_read_input_tokens,
        cacheWrite: total.cache_creation_input_tokens,
      }
    )
  }, [isMix, text, total])
  return { tokens, problem: isMix ? describeProblem(error, data?.isComplete && !total) : undefined }
}

function describeProblem(error: Error | null, isEmpty = false): string | undefined {
  if (error) return `What this project has used could not be read. ${error.message}`
  return isEmpty ? 'No call of the last 30 days reported tokens: there is no workload to compare prices by.' : undefined
}

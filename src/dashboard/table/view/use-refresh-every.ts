import { useEffect, useRef } from 'react'
import type { TableData } from './table-data'

/** Asks again every so often, never while an answer is on its way nor while nobody can see the page. */
export function useRefreshEvery(seconds: number, answer: TableData<unknown>): void {
  const latest = useRef(answer)
  // The timer and the page's visibility are the browser's. The ref keeps the timer from starting anew with every answer.
  useEffect(() => {
    latest.current = answer
  })
  useEffect(() => {
    if (seconds === 0) return
    const refresh = () => {
      if (document.visibilityState === 'visible' && !latest.current.isFetching) void latest.current.refetch()
    }
    const timer = setInterval(refresh, seconds * 1000)
    return () => clearInterval(timer)
  }, [seconds])
}

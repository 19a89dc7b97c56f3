import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useConnection } from '../../client/connection-context'
import { formatVisibleText } from '../../format/visible-text'
import { formatAnswer, latestAnswersQuery } from '../calls/latest-answers'

const turnsPerBlock = 200

/** What people answered for the turns around this index, as a text, by the id of the turn. One request for hundreds of turns. */
export function useTurnAnswers(turns: readonly { id: string }[], index: number): ReadonlyMap<string, string> {
  const start = Math.max(0, Math.floor(index / turnsPerBlock - 0.5)) * turnsPerBlock
  const ids = useMemo(() => turns.slice(start, start + 2 * turnsPerBlock).map(({ id }) => id), [turns, start])
  const { data } = useQuery({ ...latestAnswersQuery(ids, useConnection()), placeholderData: keepPreviousData })
  return useMemo(() => {
    const texts = new Map<string, string>()
    for (const { callId, scorer, value, annotator } of data ?? []) {
      const text = formatVisibleText(`${scorer} ${formatAnswer(value)} (${annotator})`)
      texts.set(callId, texts.has(callId) ? `${texts.get(callId)}\n${text}` : text)
    }
    return texts
  }, [data])
}

import { useQuery } from '@tanstack/react-query'
import { useDeferredValue, useEffect, useMemo, useRef } from 'react'
import { isCatalogCost } from '../../../contract/compare-prices'
import type { ReceivedCost } from '../../../contract/received-costs'
import { useConnection } from '../../client/connection-context'
import { modelCostsQuery } from '../records/model-costs-query'

/** The records of the model that is typed, and those that others have made since the person began. */
export function useModelRecords(typedModel: string) {
  const connection = useConnection()
  const model = useDeferredValue(typedModel.trim())
  const query = useQuery({ ...modelCostsQuery([model], connection), enabled: model !== '' })
  const records = useMemo(() => query.data?.rows.filter(({ llm_id }) => llm_id === model) ?? [], [query.data, model])

  // The ids of all records of the model when the person began.
  const knownIds = useRef<{ model: string; ids: Set<string | null> }>(undefined)
  useEffect(() => {
    if (query.data?.isComplete && knownIds.current?.model !== model) {
      knownIds.current = { model, ids: new Set(records.map(({ id }) => id)) }
    }
  }, [query.data, model, records])

  /** The project's records of the model that came since this was asked last, or all. Two people who correct at once see each other. */
  const findNewRecords = async (name: string, { throwOnError = false, isAll = false } = {}): Promise<ReceivedCost[]> => {
    // Without an answer nothing is known of others, and a price is a record of its own anyway.
    const { data } = await query.refetch({ throwOnError })
    const rows = data?.rows.filter(({ llm_id }) => llm_id === name) ?? []
    const known = knownIds.current?.model === name ? knownIds.current.ids : undefined
    knownIds.current = { model: name, ids: new Set(rows.map(({ id }) => id)) }
    const own = rows.filter((cost) => !isCatalogCost(cost))
    return isAll ? own : known ? own.filter(({ id }) => !known.has(id)) : []
  }

  return { records, isKnown: query.data?.isComplete === true && model === typedModel.trim(), findNewRecords }
}

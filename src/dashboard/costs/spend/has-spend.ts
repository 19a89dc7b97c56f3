import type { QueryClient } from '@tanstack/react-query'
import type { Connection } from '../../client/connection'
import type { TimeZone } from '../../format/instant'
import { parseView } from '../../table/view/url-params'
import { type SpendInput, spendRows, toPage, toTableInput } from './spend-rows'
import { spendParams } from './spend-view'
import { toSpendWindow } from './spend-window'

/**
 * Whether the project has calls with usage. It asks for the rows that the Spend view shows first: where there are some, the
 * view need not ask again.
 */
export async function hasSpend(queryClient: QueryClient, connection: Connection, zone: TimeZone): Promise<boolean> {
  const { projectId: project_id } = connection
  const ask = async (input: SpendInput) => {
    const { rows } = await queryClient.fetchQuery(spendRows.toQuery(input, connection))
    return rows.length > 0
  }
  const view = parseView(spendParams, location.search)
  const window = toSpendWindow(view, zone, Date.now())
  return (await ask(toTableInput(toPage(project_id, view), view, window))) || ask({ project_id, limit: 1 })
}

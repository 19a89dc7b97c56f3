import { useQuery } from '@tanstack/react-query'
import { Link } from 'wouter'
import { useConnection } from '../../client/connection-context'
import { spendRows } from './spend-rows'

/** In place of spend: the window has none, or the whole project. */
export function EmptySpend() {
  const connection = useConnection()
  const { data, error } = useQuery(spendRows.toQuery({ project_id: connection.projectId, limit: 1 }, connection))
  return data?.rows.length === 0 ? (
    <>
      No calls with usage yet.{' '}
      <Link href="/send" className="text-accent underline">
        Send data
      </Link>
    </>
  ) : (
    (data || error) && 'No call of this window has usage. Choose a longer window.'
  )
}

import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { Link } from 'wouter'
import { parsePlainDecimal } from '../../contract/decimal'
import type { ReceivedCost } from '../../contract/received-costs'
import type { SpendGroup } from '../../contract/spend'
import { useConnection } from '../client/connection-context'
import { formatCount } from '../format/count'
import { ForeignText } from '../format/ForeignText'
import { nameOps } from '../format/op-name'
import { PanelSection } from '../table/grid/RowPanel'
import { Amount } from './spend/Amount'
import { toModelSpendHref } from './spend/spend-links'
import { spendRows } from './spend/spend-rows'
import { formatUnnamed } from './spend/spend-view'

const days = 30
const maxOps = 5

/** Who uses a model here, and what it cost: the calls of the last 30 days that have this provider's price. */
export function PriceUsage({ cost }: { cost: ReceivedCost }) {
  const connection = useConnection()
  const [openedAt] = useState(() => Date.now())
  // The start of a day: the same request all day.
  const day = new Date(openedAt - days * 86_400_000).toISOString().slice(0, 10)
  const filter = {
    after_datetime: `${day}T00:00:00Z`,
    models: [cost.llm_id ?? ''],
    ...(cost.provider_id !== null && { providers: [cost.provider_id] }),
  }
  const input = { project_id: connection.projectId, filter }
  const total = useQuery(spendRows.toQuery(input, connection))
  const ops = useQuery(spendRows.toQuery({ ...input, group_by: ['op_name'], limit: maxOps + 1 }, connection))
  const error = total.error ?? ops.error
  const [whole] = total.data?.rows ?? []
  const operations = ops.data?.isComplete ? ops.data.rows : undefined
  const opNames = nameOps((operations ?? []).flatMap((row) => row.op_name ?? []))
  return (
    <PanelSection title="Used here" aside={<span className="text-xs text-quiet">{`last ${days} days`}</span>}>
      {error ? (
        <p className="text-quiet">{`Its use could not be read. ${error.message}`}</p>
      ) : !total.data?.isComplete || !operations ? (
        <p className="text-quiet">Reading…</p>
      ) : !whole ? (
        <p className="text-quiet">No call of this project had this price.</p>
      ) : (
        <>
          <table className="panel-prices" aria-label="Operations that use it">
            <thead>
              <tr>
                <th scope="col">Operation</th>
                <th scope="col">Calls</th>
                <th scope="col">Spend</th>
              </tr>
            </thead>
            <tbody>
              {operations.slice(0, maxOps).map((row) => (
                <Row key={row.op_name ?? ''} group={row}>
                  {row.op_name ? (
                    <ForeignText text={opNames.get(row.op_name) ?? ''} title={row.op_name} isOneLine />
                  ) : (
                    formatUnnamed('op_name')
                  )}
                </Row>
              ))}
              <Row group={whole}>{operations.length > maxOps ? 'All operations' : 'Together'}</Row>
            </tbody>
          </table>
          <p className="mt-2">
            <Link href={toModelSpendHref(cost.llm_id ?? '', cost.provider_id)} className="underline">
              Its spend by day
            </Link>
          </p>
        </>
      )}
    </PanelSection>
  )
}

function Row({ group, children }: { group: SpendGroup; children: ReactNode }) {
  return (
    <tr>
      <th scope="row">{children}</th>
      <td>{formatCount(String(group.call_count))}</td>
      <td>
        {group.costs.map(({ currency, total }) => (
          <div key={currency}>
            <Amount
              amount={parsePlainDecimal(total)}
              currency={currency}
              isCurrencyShown
              isLowerBound={group.unpriced_call_count > 0}
            />
          </div>
        ))}
      </td>
    </tr>
  )
}

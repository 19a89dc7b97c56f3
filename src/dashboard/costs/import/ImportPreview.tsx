import { useState } from 'react'
import { isCatalogCost } from '../../../contract/compare-prices'
import { defaultProvider } from '../../../contract/price-files/compare-with-stored'
import type { PriceList } from '../../../contract/price-files/imported-price'
import { formatCount } from '../../format/count'
import { ForeignText } from '../../format/ForeignText'
import { formatDay } from '../../format/instant'
import { formatPrice } from '../../format/money'
import { usePreferences } from '../../format/preferences'
import { formatPriceChange } from '../../format/price-change'
import { formatVisibleText } from '../../format/visible-text'
import { Segmented } from '../../ui/Segmented'
import { type PriceField, priceFields } from '../records/likely-unit-error'
import type { ImportPlan, PlannedPrice } from './import-plan'

type Kind = keyof ImportPlan | 'refused'

/** More rows make the dialog slow, and nobody reads them. */
const maxRows = 200

/** What a file would add and change, what is there already, and what is refused and why. */
export function ImportPreview({ plan, list }: { plan: ImportPlan; list: PriceList }) {
  const counts: Record<Kind, number> = {
    added: plan.added.length,
    changed: plan.changed.length,
    same: plan.same.length,
    refused: list.problems.length,
  }
  const labels: Record<Kind, string> = { added: 'New', changed: 'Changed', same: 'Same', refused: 'Refused' }
  const kinds: Kind[] = ['added', 'changed', 'same', 'refused']
  const [kind, setKind] = useState<Kind>(() => kinds.find((each) => counts[each] > 0) ?? 'added')
  const moreCount = counts[kind] - maxRows
  return (
    <div className="flex min-w-0 flex-col gap-3">
      <Segmented
        label="Show"
        value={kind}
        options={kinds.map((value) => ({ value, label: `${labels[value]} ${formatCount(String(counts[value]))}` }))}
        onChange={setKind}
        className="max-w-full self-start overflow-x-auto [&]:shrink max-sm:[&>label]:px-1.5"
      />
      <section
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- the keyboard must be able to scroll it
        tabIndex={0}
        aria-label={`${labels[kind]} prices`}
        className="max-h-[40dvh] overflow-auto border-y border-line"
      >
        {counts[kind] === 0 ? (
          <p className="py-2 text-quiet">None.</p>
        ) : kind === 'refused' ? (
          <ul>
            {list.problems.slice(0, maxRows).map(({ line, msg }) => (
              <li key={`${line} ${msg}`} className="border-b border-line py-1 break-words last:border-b-0">
                <span className="text-quiet tabular-nums">{`Line ${line}: `}</span>
                <ForeignText text={msg} />
              </li>
            ))}
          </ul>
        ) : (
          <PriceTable prices={plan[kind].slice(0, maxRows)} />
        )}
        {moreCount > 0 && <p className="py-2 text-quiet">{`and ${formatCount(String(moreCount))} more`}</p>}
      </section>
      <ul className="text-quiet">
        {counts.refused > 0 && <li>What is refused is not recorded; the rest can be.</li>}
        {Object.entries(list.skipped).map(([reason, count]) => (
          <li key={reason}>{`Left out: ${formatCount(String(count))} ${reason}.`}</li>
        ))}
        {list.losses?.map((loss) => (
          <li key={loss} className="line-clamp-4 break-words" title={loss}>
            {loss}
          </li>
        ))}
      </ul>
    </div>
  )
}

function PriceTable({ prices }: { prices: readonly PlannedPrice[] }) {
  const { zone } = usePreferences()
  const fields = priceFields.filter(
    ({ field }) =>
      !field.startsWith('cache') || prices.some(({ price, before }) => (price.cost[field] ?? before?.[field]) != null),
  )
  return (
    <table className="w-full tabular-nums sm:min-w-150" aria-label="Prices of the file">
      <thead>
        <tr className="text-left text-xs text-quiet">
          <th scope="col" className="py-1 font-normal">
            Model, provider
          </th>
          {fields.map(({ field, label }) => (
            <th key={field} scope="col" className="py-1 pl-3 text-right font-normal">
              {`${label}, per 1M`}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {prices.map(({ price: { llmId, cost }, before }) => (
          <tr key={`${llmId} ${cost.provider_id} ${cost.effective_date}`} className="border-t border-line align-top">
            <th scope="row" className="max-w-80 py-1 text-left font-normal break-all">
              <ForeignText text={llmId} />
              <span className="block text-xs text-quiet">
                <ForeignText text={cost.provider_id ?? defaultProvider} />
                {cost.prompt_token_cost_unit !== undefined &&
                  cost.prompt_token_cost_unit !== 'USD' &&
                  `, ${formatVisibleText(cost.prompt_token_cost_unit)}`}
                {cost.effective_date !== undefined && `, from ${formatDay(cost.effective_date, zone)}`}
                {before && isCatalogCost(before) && ', before: catalog'}
              </span>
            </th>
            {fields.map(({ field, unitField }) => (
              <td key={field} className="py-1 pl-3 text-right">
                <Change
                  field={field}
                  after={cost[field]}
                  before={before?.[unitField] === (cost[unitField] ?? 'USD') ? before[field] : undefined}
                />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

type ChangeProps = { field: PriceField; before: number | null | undefined; after: number | undefined }

function Change({ field, before, after }: ChangeProps) {
  const change = formatPriceChange(before, after)
  const isChanged = before !== undefined && (before ?? undefined) !== after
  return (
    <>
      {isChanged && <span className="text-quiet">{`${formatPrice(before, '1M').text} → `}</span>}
      {after === undefined && field.startsWith('cache') ? (
        <span className="text-faint">not set</span>
      ) : (
        formatPrice(after, '1M').text
      )}
      {isChanged && change !== undefined && <span className="block text-xs text-quiet">{change}</span>}
    </>
  )
}

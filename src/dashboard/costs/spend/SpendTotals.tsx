import { Suspense } from 'react'
import { Link } from 'wouter'
import { lazyPart } from '../../client/lazy-part'
import { formatAmount, formatCurrency } from '../../format/amount'
import { formatCount } from '../../format/count'
import { ForeignText } from '../../format/ForeignText'
import { formatDecimalChange } from '../../format/price-change'
import { formatVisibleText } from '../../format/visible-text'
import { Skeleton } from '../../ui/Skeleton'
import { Amount } from './Amount'
import { BudgetPlaceholder } from './BudgetPlaceholder'
import { Figure } from './Figure'
import { parsePlainDecimal } from '../../../contract/decimal'
import { formatDifference, formatShare, readBlendedPrice, readTotal } from './spend-figures'
import { toAddPriceHref, toSpendHref, toThreadsHref } from './spend-links'
import { readReferenceModels, type SpendView } from './spend-view'
import type { SpendWindow } from './spend-window'
import type { SpendFigures } from './use-spend-figures'
import { readRepriced, WhatIfChange } from './WhatIfCell'

const BudgetFigure = lazyPart(async () => (await import('./BudgetFigure')).BudgetFigure)

type Props = { view: SpendView; window: SpendWindow; figures: SpendFigures }

/** The totals of the window, and how they changed. */
export function SpendTotals({ view, window, figures }: Props) {
  const { total, currencies, areCallsCounted } = figures
  const references = readReferenceModels(view)
  if (!total) {
    return (
      <div className="spend-totals" aria-hidden="true">
        {['w-28', 'w-16', 'w-20', 'w-20', 'w-20', 'w-20'].map((width, index) => (
          // oxlint-disable-next-line react/no-array-index-key -- placeholders have no identity
          <span key={index} className="flex flex-col gap-2">
            <Skeleton className={`h-3 ${width}`} />
            <Skeleton className="h-4 w-16" />
          </span>
        ))}
      </div>
    )
  }
  const { unpriced_call_count: unpriced, prompt_tokens: prompt } = total
  const { cache_read_input_tokens: cached, cache_creation_input_tokens: written } = total
  const blended = readBlendedPrice(total)
  return (
    <dl className="spend-totals">
      {currencies.length === 0 && (
        <Figure label="Spend" isMain aside="no call has a known price">
          —
        </Figure>
      )}
      {currencies.map((each) => (
        <Figure
          key={each}
          label={currencies.length === 1 ? 'Spend' : `Spend in ${formatCurrency(each)}`}
          isMain
          aside={<Change figures={figures} currency={each} />}
        >
          <Amount
            amount={readTotal(total, each) ?? parsePlainDecimal('0')}
            currency={each}
            isCurrencyShown
            isLowerBound={unpriced > 0}
          />
        </Figure>
      ))}
      <Suspense fallback={<BudgetPlaceholder />}>
        <BudgetFigure />
      </Suspense>
      {references.map((reference, index) => {
        const repriced = readRepriced(total, references, index)
        return (
          <Figure
            key={`${reference.llm_id} ${reference.provider_id}`}
            label={
              <>
                {'On '}
                <ForeignText text={reference.llm_id} />
              </>
            }
            aside={<WhatIfChange row={total} repriced={repriced} hasReason />}
          >
            {repriced.length === 0
              ? 'no price'
              : repriced.map((each) => (
                  <Amount key={each.currency} amount={parsePlainDecimal(each.total)} currency={each.currency} isCurrencyShown />
                ))}
          </Figure>
        )
      })}
      <Figure
        label="Calls"
        aside={
          <Link href={toThreadsHref(view, window)} className="underline">
            their threads
          </Link>
        }
      >
        {areCallsCounted ? formatCount(String(total.call_count)) : <Skeleton className="h-4 w-12" />}
      </Figure>
      <Figure label="Prompt tokens" aside={written > 0 && `${formatCount(String(written))} written to a cache`}>
        {formatCount(String(prompt))}
      </Figure>
      <Figure label="Cached tokens" aside={prompt > 0 && cached > 0 && `${formatShare(cached / prompt)} of the prompt`}>
        {formatCount(String(cached))}
      </Figure>
      <Figure label="Completion tokens">{formatCount(String(total.completion_tokens))}</Figure>
      {blended && (
        <Figure label="Blended price" aside="per 1M tokens">
          <Amount {...blended} isCurrencyShown />
        </Figure>
      )}
      {unpriced > 0 && (
        <Figure
          label="Unpriced calls"
          aside={
            view.model.length === 1 && view.model[0] !== undefined ? (
              <Link href={toAddPriceHref(view.model[0])} className="underline">
                add a price
              </Link>
            ) : (
              <Link
                href={toSpendHref(view, { group: 'model', sort: [{ id: 'unpriced_call_count', direction: 'desc' }] })}
                className="underline"
              >
                show their models
              </Link>
            )
          }
        >
          {areCallsCounted ? (
            <span className="text-warn">{formatCount(String(unpriced))}</span>
          ) : (
            <Skeleton className="h-4 w-12" />
          )}
        </Figure>
      )}
    </dl>
  )
}

type ChangeProps = { figures: SpendFigures; currency: string }

/** The change against the window before: neutral, because more is not bad by itself. */
function Change({ figures: { total, previous, previousName }, currency }: ChangeProps) {
  if (previous === undefined) return null
  const before = previous && readTotal(previous, currency)
  const after = total && readTotal(total, currency)
  if (!before || !after) return `nothing in ${previousName}`
  const percent = formatDecimalChange(before, after)
  return (
    <span title={`${formatAmount(before).exact} ${formatVisibleText(currency)} in ${previousName}`}>
      {formatDifference(before, after)}
      {percent && ` (${percent})`}
      <span className="text-faint">{` vs ${previousName}`}</span>
    </span>
  )
}

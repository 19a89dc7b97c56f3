import type { BudgetState } from '../../../contract/budget'
import { formatAmount } from '../../format/amount'
import { formatTime, type TimeZone } from '../../format/instant'
import { usePreferences } from '../../format/preferences'
import { formatFailure } from '../../table/grid/Failure'
import { Icon } from '../../ui/Icon'
import { Popover } from '../../ui/Popover'
import { Amount } from './Amount'
import { Figure } from './Figure'
import { parsePlainDecimal } from '../../../contract/decimal'
import { formatShare, toShare } from './spend-figures'
import { toZoneName } from '../../format/interval'
import { BudgetForm } from './BudgetForm'
import { BudgetPlaceholder } from './BudgetPlaceholder'
import { useBudget } from './use-budget'

/** How far the budget of the month is used and where that leads. It counts the whole project, whatever the page is narrowed to. */
export function BudgetFigure() {
  const { zone } = usePreferences()
  const { state, isPending, failure, refetch } = useBudget()
  if (failure) {
    return (
      <Figure
        label="Budget"
        aside={
          <>
            {formatFailure(failure)}{' '}
            <button type="button" onClick={() => void refetch()} className="cursor-pointer underline">
              Retry now
            </button>
          </>
        }
      >
        <span role="alert" className="text-bad">
          could not be read
        </span>
      </Figure>
    )
  }
  if (isPending) return <BudgetPlaceholder />
  if (!state) return null
  const { budget, month } = state
  const used = budget &&
    month && { budget, month, share: toShare(parsePlainDecimal(month.spent), parsePlainDecimal(budget.amount)) }
  return (
    <Figure
      label={used ? `Budget of ${formatMonth(used.month.from, zone)}` : 'Budget'}
      aside={
        <>
          {used && (
            <>
              <BudgetOutlook month={used.month} zone={zone} /> ·{' '}
            </>
          )}
          {/* The same one before and after a budget is set, so that it keeps the focus. */}
          <BudgetPopover state={state} text={used ? 'change' : 'set one'} />
        </>
      }
    >
      {used ? (
        <>
          {used.share !== undefined && `${formatShare(used.share)} of `}
          <Amount amount={parsePlainDecimal(used.budget.amount)} currency={used.budget.currency} isCurrencyShown />
        </>
      ) : (
        <span className="inline-block min-w-12 text-quiet">none</span>
      )}
    </Figure>
  )
}

type OutlookProps = { month: NonNullable<BudgetState['month']>; zone: TimeZone }

function BudgetOutlook({ month, zone }: OutlookProps) {
  if (month.exceeded_since !== null) {
    return (
      <span className="text-bad">
        <Icon name="error" className="mr-1 inline size-3" />
        {`exceeded since ${toDay(month.exceeded_since, zone)}`}
      </span>
    )
  }
  const forecast = `${formatAmount(parsePlainDecimal(month.forecast)).text} by its end`
  if (month.exceeds_at === null) return <span title="At the pace of the last seven days">{forecast}</span>
  return (
    <span className="text-warn" title={`At the pace of the last seven days: ${forecast}`}>
      <Icon name="warning" className="mr-1 inline size-3" />
      {`will be exceeded about ${toDay(month.exceeds_at, zone)}`}
    </span>
  )
}

function BudgetPopover({ state, text }: { state: BudgetState; text: string }) {
  return (
    <Popover
      label="Monthly budget"
      focusOn={(panel) => panel.querySelector('input')}
      renderTrigger={(trigger) => (
        <button
          type="button"
          {...trigger}
          aria-haspopup="dialog"
          aria-label={`Budget: ${text}`}
          className="cursor-pointer underline"
        >
          {text}
        </button>
      )}
    >
      {(close) => <BudgetForm budget={state.budget} close={close} />}
    </Popover>
  )
}

function formatMonth(from: string, zone: TimeZone): string {
  return new Intl.DateTimeFormat('en', { month: 'long', timeZone: toZoneName(zone) }).format(new Date(from))
}

function toDay(instant: string, zone: TimeZone): string {
  return formatTime(instant, zone).slice(0, 'yyyy-mm-dd'.length)
}

import { useMemo } from 'react'
import type { SetView } from '../../table/view/use-url-state'
import { BreakEven } from './BreakEven'
import { hasSpendFilters, readReferenceModels, type SpendView } from './spend-view'
import type { SpendWindow } from './spend-window'
import { SpendChart } from './SpendChart'
import type { SpendFigures } from './use-spend-figures'

export type SpendChartsProps = {
  view: SpendView
  setView: SetView<SpendView>
  window: SpendWindow
  figures: SpendFigures
  /** What ops are called. */
  opNames: ReadonlyMap<string, string>
}

/** When it was spent, and where another model would cost as much. */
export function SpendCharts({ view, setView, window, figures, opNames }: SpendChartsProps) {
  const { total, currencies } = figures
  const { whatif } = view
  const references = useMemo(() => readReferenceModels({ whatif }), [whatif])
  // Amounts in two currencies have no common mix.
  const [currency, ...otherCurrencies] = currencies
  return (
    <>
      <SpendChart setView={setView} window={window} figures={figures} opNames={opNames} isNarrowed={hasSpendFilters(view)} />
      {references.length > 0 && total && currency !== undefined && otherCurrencies.length === 0 && (
        <BreakEven total={total} currency={currency} references={references} />
      )}
    </>
  )
}

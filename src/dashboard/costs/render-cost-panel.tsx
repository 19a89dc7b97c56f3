import { lazy } from 'react'
import type { PanelControls } from '../table/grid/use-row-navigation'
import type { SetView } from '../table/view/use-url-state'
import type { CostRow } from './cost-columns'
import type { CostView } from './cost-view'

const CostPanel = lazy(() => import('./CostPanel').then((module) => ({ default: module.CostPanel })))

export type CostPanelProps = {
  row: CostRow | undefined
  id: string
  controls: PanelControls
  /** The moment the states are of. */
  asOf: string
  setView: SetView<CostView>
}

export function renderCostPanel(props: CostPanelProps) {
  return <CostPanel {...props} />
}

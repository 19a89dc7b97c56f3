import type { ReceivedCost } from '../../contract/received-costs'
import { ForeignText } from '../format/ForeignText'
import { PanelSection } from '../table/grid/RowPanel'
import { PanelPrices } from './PanelPrices'
import { sortByPrice } from './sort-by-price'

/** The model's prices at other providers. */
export function OtherProviders({ cost, others }: { cost: ReceivedCost; others: readonly ReceivedCost[] }) {
  if (others.length === 0) return null
  return (
    <PanelSection title="At other providers" aside={<span className="text-xs text-quiet">change against this price</span>}>
      <PanelPrices
        label="The same model at other providers"
        first="Provider"
        costs={sortByPrice(others, cost.prompt_token_cost_unit)}
        renderHead={({ provider_id: id }) => (id === null ? 'not set' : <ForeignText text={id} />)}
        toBase={() => cost}
        equal="the same"
      />
    </PanelSection>
  )
}

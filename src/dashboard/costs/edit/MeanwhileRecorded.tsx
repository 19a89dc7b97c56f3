import type { ReceivedCost } from '../../../contract/received-costs'
import { ForeignText } from '../../format/ForeignText'
import { describePrices } from './describe-prices'

/** List items: the prices of the same model that others recorded while the person typed. */
export function MeanwhileRecorded({ costs }: { costs: readonly ReceivedCost[] }) {
  return costs.map((cost) => (
    <li key={cost.id} className="break-words">
      {'Meanwhile another price of '}
      <ForeignText text={cost.llm_id ?? ''} />
      {` was recorded: ${describePrices(cost)} at `}
      {cost.provider_id === null ? 'no provider' : <ForeignText text={cost.provider_id} />}.
    </li>
  ))
}

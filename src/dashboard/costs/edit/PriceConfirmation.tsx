import type { Ref } from 'react'
import type { ReceivedCost } from '../../../contract/received-costs'
import { Banner } from '../../ui/Banner'
import { MeanwhileRecorded } from './MeanwhileRecorded'
import type { PriceDraft } from './price-form'

/** What must be confirmed by a second press: prices that are likely wrong, or what somebody else recorded meanwhile. */
export type Confirmation = { draft: PriceDraft; questions: readonly string[]; others: readonly ReceivedCost[] }

/** Asks for a second press. It takes the focus, so that screen readers read it. */
export function PriceConfirmation({ ref, questions, others }: Omit<Confirmation, 'draft'> & { ref: Ref<HTMLDivElement> }) {
  return (
    <div ref={ref} tabIndex={-1} className="outline-none">
      <Banner tone="warn" title={questions.length > 0 ? 'Is this right?' : 'Somebody else was here'}>
        <ul>
          {questions.map((text) => (
            <li key={text}>{text}</li>
          ))}
          <MeanwhileRecorded costs={others} />
        </ul>
        {others.length > 0 && <p>Nothing of it is lost if you continue: both records stay.</p>}
      </Banner>
    </div>
  )
}

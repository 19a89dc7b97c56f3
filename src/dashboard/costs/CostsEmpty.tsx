import { EmptyState } from '../ui/EmptyState'

export function CostsEmpty({ asOf }: { asOf: string }) {
  return (
    <EmptyState>
      {asOf === ''
        ? 'This project has no prices yet, and the server has no catalog. Record one with POST /cost/create.'
        : 'No price was in force at the end of this day.'}
    </EmptyState>
  )
}

import { Skeleton } from '../../ui/Skeleton'
import { Figure } from './Figure'

/** Keeps the place of the budget, so that the figures behind it do not move when it comes. */
export function BudgetPlaceholder() {
  return (
    <Figure label="Budget" aside={<Skeleton className="h-3 w-10" />}>
      <Skeleton className="h-4 w-12" />
    </Figure>
  )
}

import { useQuery } from '@tanstack/react-query'
import { Suspense } from 'react'
import { useConnection } from '../client/connection-context'
import { lazyPart } from '../client/lazy-part'
import { useUrlState } from '../table/view/use-url-state'
import { Button } from '../ui/Button'
import { Menu, MenuItem } from '../ui/Menu'
import { editParams } from './edit/edit-params'
import { useTakesPrices } from './edit/use-takes-prices'
import { startedCostsQuery } from './started-costs-query'

const PriceDialogs = lazyPart(async () => (await import('./edit/PriceDialogs')).PriceDialogs)

/** The ways to more prices, where the service takes them, and the dialogs that they open. */
export function PriceTools() {
  const connection = useConnection()
  const [{ add, correct, remove, import: isImport }, setParams] = useUrlState(editParams)
  const takesPrices = useTakesPrices()
  const isOpen = add !== undefined || correct !== undefined || remove !== undefined || isImport
  // The names of models that the form suggests; the view of prices has read them already.
  const { data } = useQuery({ ...startedCostsQuery({ asof: '' }, connection), enabled: isOpen })
  return (
    <>
      {takesPrices === false && <span className="text-quiet">This service takes no prices.</span>}
      {takesPrices && (
        <Menu
          label="Add prices"
          align="end"
          renderTrigger={(trigger) => (
            <Button {...trigger} icon="plus">
              Add prices
            </Button>
          )}
        >
          <MenuItem onSelect={() => setParams({ add: '' })}>One price…</MenuItem>
          <MenuItem onSelect={() => setParams({ import: true })}>From a file…</MenuItem>
        </Menu>
      )}
      <Suspense>{isOpen && <PriceDialogs records={data?.rows ?? []} />}</Suspense>
    </>
  )
}

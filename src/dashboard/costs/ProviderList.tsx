import { useMemo, useState } from 'react'
import { formatCount } from '../format/count'
import { ForeignText } from '../format/ForeignText'
import { Button } from '../ui/Button'
import { Checkbox } from '../ui/Checkbox'
import { SearchInput } from '../ui/SearchInput'
import type { ReceivedCost } from '../../contract/received-costs'
import { countByProvider } from './count-by-provider'

type Props = {
  chosen: readonly string[]
  /** The records whose providers are offered; undefined while they are read. */
  records: readonly ReceivedCost[] | undefined
  /** Counted are the models with a price in force at this moment, in the wire's form. */
  asOf: string
  onChange: (chosen: readonly string[]) => void
}

/** All providers with their number of models. The chosen ones come first, also those that have no models any more. */
export function ProviderList({ chosen, records, asOf, onChange }: Props) {
  const counts = useMemo(() => records && countByProvider(records, asOf), [records, asOf])
  const [search, setSearch] = useState('')
  // The order stays as it was when the list opened: a line must not move under the pointer that checked it.
  const [initiallyChosen] = useState(chosen)
  const missing = counts ? initiallyChosen.filter((provider) => !counts.some((each) => each.provider === provider)) : []
  const all = [...missing.map((provider) => ({ provider, count: 0 })), ...(counts ?? [])]
  const matching = all.filter(({ provider }) => provider.toLowerCase().includes(search.trim().toLowerCase()))
  const ordered = [
    ...matching.filter(({ provider }) => initiallyChosen.includes(provider)),
    ...matching.filter(({ provider }) => !initiallyChosen.includes(provider)),
  ]
  return (
    <div className="flex w-64 flex-col gap-2 p-2">
      <SearchInput label="Search providers" value={search} onChange={setSearch} />
      <ul className="max-h-72 overflow-y-auto" aria-label="Providers">
        {ordered.map(({ provider, count }) => (
          <li key={provider} className="rounded-md px-1 py-1 hover:bg-hover">
            <Checkbox
              label={
                <span className="flex justify-between gap-4">
                  <span className="min-w-0 break-words">
                    <ForeignText text={provider} />
                  </span>
                  <span className="text-quiet tabular-nums">{formatCount(String(count))}</span>
                </span>
              }
              className="[&>span]:flex-1"
              checked={chosen.includes(provider)}
              onChange={({ target }) =>
                onChange(target.checked ? [...chosen, provider] : chosen.filter((each) => each !== provider))
              }
            />
          </li>
        ))}
      </ul>
      {counts === undefined && <p className="px-1 text-quiet">Counting…</p>}
      {counts && ordered.length === 0 && <p className="px-1 text-quiet">No provider matches.</p>}
      {chosen.length > 0 && (
        <Button icon="x" onClick={() => onChange([])}>
          Any provider
        </Button>
      )}
    </div>
  )
}

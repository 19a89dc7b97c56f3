import { useState } from 'react'
import { formatCount } from '../format/count'
import { Button } from '../ui/Button'
import { Checkbox } from '../ui/Checkbox'
import { moreIcons } from '../ui/more-icons'
import { SearchInput } from '../ui/SearchInput'
import type { ProviderCount } from './ProviderFilter'

type Props = {
  chosen: readonly string[]
  counts: readonly ProviderCount[] | undefined
  onChange: (chosen: readonly string[]) => void
}

/** All providers with how many models each has; those chosen stand first, gone ones too. */
export function ProviderChoice({ chosen, counts, onChange }: Props) {
  const [search, setSearch] = useState('')
  // Chosen when the list was opened: a line must not move away under the pointer that chose it.
  const [atFirst] = useState(chosen)
  const gone = counts ? atFirst.filter((provider) => !counts.some((each) => each.provider === provider)) : []
  const all = [...gone.map((provider) => ({ provider, count: 0 })), ...(counts ?? [])]
  const found = all.filter(({ provider }) => provider.toLowerCase().includes(search.trim().toLowerCase()))
  const ordered = [
    ...found.filter(({ provider }) => atFirst.includes(provider)),
    ...found.filter(({ provider }) => !atFirst.includes(provider)),
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
                  <span className="break-all">{provider}</span>
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
        <Button icon={moreIcons.x} onClick={() => onChange([])}>
          Any provider
        </Button>
      )}
    </div>
  )
}

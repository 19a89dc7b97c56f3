import { Button } from '../ui/Button'
import { SearchInput } from '../ui/SearchInput'
import { Segmented } from '../ui/Segmented'
import { Select } from '../ui/Select'
import { TextInput } from '../ui/TextInput'
import { useDebouncedText } from '../table/view/use-debounced-text'
import type { SetView } from '../table/view/use-url-state'
import type { CostView } from './cost-view'
import type { ProviderCount } from './in-force-rows'
import { ProviderFilter } from './ProviderFilter'

type Props = {
  view: CostView
  setView: SetView<CostView>
  /** Undefined while they are being counted. */
  providers: readonly ProviderCount[] | undefined
  onOpenProviders?: () => void
}

const units = [
  { value: 'token', label: 'Token', title: 'Prices per token, as on the wire' },
  { value: '1K', label: '1K' },
  { value: '1M', label: '1M' },
] as const

export function CostFilters({ view, setView, providers, onOpenProviders }: Props) {
  const [search, setSearch] = useDebouncedText(view.search, (text) => setView({ search: text }, { replace: true }))
  return (
    <>
      <SearchInput label="Search model or provider" value={search} onChange={setSearch} className="w-56 max-sm:w-full" />
      <ProviderFilter
        chosen={view.provider}
        counts={providers}
        onOpen={onOpenProviders}
        onChange={(provider) => setView({ provider })}
      />
      <Select aria-label="Source" value={view.source} onChange={({ target }) => setView({ source: parseSource(target.value) })}>
        <option value="any">Any source</option>
        <option value="yours">Yours</option>
        <option value="catalog">Catalog</option>
      </Select>
      {view.view === 'all' && (
        <Select aria-label="State" value={view.start} onChange={({ target }) => setView({ start: parseStart(target.value) })}>
          <option value="any">Any state</option>
          <option value="started">Started</option>
          <option value="scheduled">Scheduled</option>
        </Select>
      )}
      <span className="flex items-center gap-1.5">
        <label htmlFor="as-of" className="text-quiet">
          As of
        </label>
        <TextInput
          id="as-of"
          type="date"
          value={view.asof}
          title="The prices in force at the end of this day (UTC)"
          onChange={({ target }) => setView({ asof: target.value }, { replace: true })}
          className="w-34!"
        />
        {view.asof !== '' && (
          <Button variant="quiet" onClick={() => setView({ asof: '' })}>
            Today
          </Button>
        )}
      </span>
      <Segmented label="Price unit" value={view.unit} options={units} onChange={(unit) => setView({ unit })} />
    </>
  )
}

function parseSource(value: string): CostView['source'] {
  return value === 'yours' || value === 'catalog' ? value : 'any'
}

function parseStart(value: string): CostView['start'] {
  return value === 'started' || value === 'scheduled' ? value : 'any'
}

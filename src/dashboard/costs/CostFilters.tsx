import type { ReactNode } from 'react'
import type { ReceivedCost } from '../../contract/received-costs'
import { lazyPart } from '../client/lazy-part'
import { usePreferences } from '../format/preferences'
import { formatVisibleText } from '../format/visible-text'
import { SearchInput } from '../ui/SearchInput'
import { ChoiceChip } from '../table/filter/ChoiceChip'
import { FilterChip } from '../table/filter/FilterChip'
import { useDebouncedText } from '../table/view/use-debounced-text'
import type { SetView } from '../table/view/use-url-state'
import { type CostView, formatAsOf } from './cost-view'

// Both are part of the file of the filters' popovers.
const ProviderList = lazyPart(async () => (await import('./ProviderList')).ProviderList)
const AsOfForm = lazyPart(async () => (await import('./AsOfForm')).AsOfForm)

type Props = {
  view: CostView
  setView: SetView<CostView>
  /** The records whose providers can be chosen, and the moment at which they are in force. */
  records: readonly ReceivedCost[] | undefined
  recordsAsOf: string
  onOpenProviders?: () => void
  /** Filters of this view alone. */
  children?: ReactNode
}

const sources = [
  { value: 'any', label: 'Any source' },
  { value: 'yours', label: 'yours', hint: 'recorded in this project' },
  { value: 'catalog', label: 'catalog', hint: 'built in' },
] as const

const units = [
  { value: 'token', label: '1 token', hint: 'as on the wire' },
  { value: '1K', label: '1K tokens' },
  { value: '1M', label: '1M tokens' },
] as const

export function CostFilters({ view, setView, records, recordsAsOf, onOpenProviders, children }: Props) {
  const [search, setSearch] = useDebouncedText(view.search, (text) => setView({ search: text }, { replace: true }))
  const { zone } = usePreferences()
  const { provider, source, asof } = view
  return (
    <>
      <SearchInput label="Search model or provider" value={search} onChange={setSearch} className="w-56 max-sm:w-full" />
      <FilterChip
        label="Provider"
        unsetText="Any provider"
        value={provider.length > 1 ? String(provider.length) : provider[0] && formatVisibleText(provider[0])}
        isSet={provider.length > 0}
        onOpen={onOpenProviders}
      >
        {() => (
          <ProviderList
            chosen={provider}
            records={records}
            asOf={recordsAsOf}
            onChange={(chosen) => setView({ provider: chosen })}
          />
        )}
      </FilterChip>
      <ChoiceChip
        label="Source"
        value={source}
        unsetValue="any"
        choices={sources}
        onChange={(next) => setView({ source: next })}
      />
      {children}
      <FilterChip label="As of" value={asof === '' ? 'now' : formatAsOf(asof, zone)} isSet={asof !== ''}>
        {(close) => <AsOfForm asOf={asof} onChange={(next) => setView({ asof: next })} close={close} />}
      </FilterChip>
      <ChoiceChip label="Price per" value={view.unit} choices={units} onChange={(unit) => setView({ unit })} />
    </>
  )
}

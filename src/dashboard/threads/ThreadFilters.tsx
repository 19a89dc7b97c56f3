import { lazyPart } from '../client/lazy-part'
import { formatDuration } from '../format/duration'
import { usePreferences } from '../format/preferences'
import { formatVisibleText } from '../format/visible-text'
import { FilterChip } from '../table/filter/FilterChip'
import type { SetView } from '../table/view/use-url-state'
import { Chip } from '../ui/Chip'
import { toFilterTexts } from './filter-texts'
import { formatStartRange } from './format-start-range'
import { hasTimeFilter, hasWord, type ThreadView, windows } from './thread-view'

// All are part of the file of the filters' popovers.
const StartBounds = lazyPart(async () => (await import('./StartBounds')).StartBounds)
const ThreadIds = lazyPart(async () => (await import('./ThreadIds')).ThreadIds)
const SlowThreshold = lazyPart(async () => (await import('./SlowThreshold')).SlowThreshold)
const WordsFilter = lazyPart(async () => (await import('./WordsFilter')).WordsFilter)
const MoreFilters = lazyPart(async () => (await import('./MoreFilters')).MoreFilters)

type Props = {
  view: ThreadView
  setView: SetView<ThreadView>
  /** Whether the service finds threads by their calls; undefined while that is not known. */
  canSearch: boolean | undefined
  /** Somebody wants to know. */
  onAskSearch: () => void
}

export function ThreadFilters({ view, setView, canSearch, onAskSearch }: Props) {
  const { zone } = usePreferences()
  const idCount = view.thread.length
  const more = toFilterTexts(view)
  return (
    <>
      <FilterChip
        label="Words"
        unsetText="Words"
        value={view.text === '' ? undefined : formatVisibleText(view.text)}
        isSet={hasWord(view.text)}
        onOpen={onAskSearch}
      >
        {(close) => <WordsFilter view={view} setView={setView} canSearch={canSearch} close={close} />}
      </FilterChip>
      <FilterChip label="Turns started" value={formatStartRange(view, zone)} isSet={hasTimeFilter(view)}>
        {(close) => <StartBounds view={view} setView={setView} windows={windows} close={close} />}
      </FilterChip>
      <FilterChip
        label="Thread ids"
        unsetText="Thread ids"
        value={idCount === 0 ? undefined : String(idCount)}
        isSet={idCount > 0}
      >
        {(close) => <ThreadIds view={view} setView={setView} close={close} />}
      </FilterChip>
      <FilterChip
        label="More filters"
        unsetText="More filters"
        value={more.length === 0 ? undefined : String(more.length)}
        isSet={more.length > 0}
        onOpen={onAskSearch}
      >
        {(close) => <MoreFilters view={view} setView={setView} canSearch={canSearch} close={close} />}
      </FilterChip>
      <FilterChip label="Slow from" value={formatThresholds(view)} isSet={view.slow > 0 || view.slow50 > 0}>
        {(close) => <SlowThreshold view={view} setView={setView} close={close} />}
      </FilterChip>
      {more.map(({ label, value, removed }) => (
        <span key={`${label} ${value}`} className="max-w-56 min-w-0">
          <Chip onRemove={() => setView(removed)} removeLabel={`Remove the filter ${label} ${value}`}>
            <span className="text-quiet">{label} </span>
            <bdi>{value}</bdi>
          </Chip>
        </span>
      ))}
    </>
  )
}

/** `off`, `5.00 s`, `p50 2.00 s, p99 off`. */
function formatThresholds({ slow, slow50 }: ThreadView): string {
  const format = (milliseconds: number) => (milliseconds === 0 ? 'off' : formatDuration(milliseconds))
  return slow50 === 0 ? format(slow) : `p50 ${format(slow50)}, p99 ${format(slow)}`
}

import { lazyPart } from '../client/lazy-part'
import { formatDuration } from '../format/duration'
import { usePreferences } from '../format/preferences'
import { FilterChip } from '../table/filter/FilterChip'
import type { SetView } from '../table/view/use-url-state'
import { formatStartRange } from './format-start-range'
import { hasTimeFilter, type ThreadView, windows } from './thread-view'

// All are part of the file of the filters' popovers.
const StartBounds = lazyPart(async () => (await import('./StartBounds')).StartBounds)
const ThreadIds = lazyPart(async () => (await import('./ThreadIds')).ThreadIds)
const SlowThreshold = lazyPart(async () => (await import('./SlowThreshold')).SlowThreshold)

type Props = { view: ThreadView; setView: SetView<ThreadView> }

export function ThreadFilters({ view, setView }: Props) {
  const { zone } = usePreferences()
  const idCount = view.thread.length
  return (
    <>
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
      <FilterChip label="Slow from" value={view.slow === 0 ? 'off' : formatDuration(view.slow)} isSet={view.slow > 0}>
        {(close) => <SlowThreshold view={view} setView={setView} close={close} />}
      </FilterChip>
    </>
  )
}

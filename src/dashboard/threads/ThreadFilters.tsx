import { Button } from '../ui/Button'
import { moreIcons } from '../ui/more-icons'
import { Popover } from '../ui/Popover'
import { Segmented } from '../ui/Segmented'
import { TextInput } from '../ui/TextInput'
import { useDebouncedText } from '../table/view/use-debounced-text'
import type { SetView } from '../table/view/use-url-state'
import { StartBounds } from './StartBounds'
import type { ThreadView } from './thread-view'
import { ThreadIds } from './ThreadIds'

type Props = { view: ThreadView; setView: SetView<ThreadView> }

const windows = [
  { value: '1h', label: '1 h', title: 'Turns started in the last hour' },
  { value: '24h', label: '24 h', title: 'Turns started in the last 24 hours' },
  { value: '7d', label: '7 d', title: 'Turns started in the last 7 days' },
  { value: '30d', label: '30 d', title: 'Turns started in the last 30 days' },
  { value: 'all', label: 'All', title: 'All turns' },
] as const

export function ThreadFilters({ view, setView }: Props) {
  const hasBounds = view.after !== '' || view.before !== ''
  const count = view.thread.length
  return (
    <>
      <Segmented
        label="Turns started in the last"
        value={hasBounds ? 'bounds' : view.window}
        options={windows}
        onChange={(window) => {
          if (window !== 'bounds') setView({ window, after: '', before: '' })
        }}
      />
      <Popover
        label="Turns started after and before"
        renderTrigger={(trigger) => (
          <Button
            {...trigger}
            aria-haspopup="dialog"
            icon={moreIcons.calendar}
            className={`font-normal! ${hasBounds ? 'border-accent! text-accent' : ''}`}
          >
            Started after, before
          </Button>
        )}
      >
        {(close) => <StartBounds view={view} setView={setView} close={close} />}
      </Popover>
      <Popover
        label="Thread ids"
        renderTrigger={(trigger) => (
          <Button
            {...trigger}
            aria-haspopup="dialog"
            icon="filter"
            className={`font-normal! ${count > 0 ? 'border-accent! text-accent' : ''}`}
          >
            {count === 0 ? 'Thread ids' : count === 1 ? '1 thread id' : `${count} thread ids`}
          </Button>
        )}
      >
        {(close) => <ThreadIds view={view} setView={setView} close={close} />}
      </Popover>
      <SlowThreshold view={view} setView={setView} />
    </>
  )
}

/** Entered in seconds; the URL has milliseconds. */
function SlowThreshold({ view, setView }: Props) {
  const [draft, setDraft] = useDebouncedText(view.slow === 0 ? '' : String(view.slow / 1000), (text) => {
    const seconds = Number(text.replace(',', '.'))
    setView({ slow: Number.isFinite(seconds) && seconds > 0 ? Math.round(seconds * 1000) : 0 }, { replace: true })
  })
  return (
    <span className="flex items-center gap-1.5 text-quiet">
      <label htmlFor="slow-from">Slow from</label>
      <TextInput
        id="slow-from"
        inputMode="decimal"
        value={draft}
        title="p50 and p99 of at least this many seconds are shown as slow"
        onChange={({ target }) => setDraft(target.value)}
        className="w-14! text-right tabular-nums"
      />
      <span aria-hidden="true">s</span>
    </span>
  )
}

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

/** Entered in seconds; the URL has milliseconds. Text that is no number changes nothing, and is refused in words. */
function SlowThreshold({ view, setView }: Props) {
  const [draft, setDraft] = useDebouncedText(view.slow === 0 ? '' : String(view.slow / 1000), (text) => {
    const slow = parseSeconds(text)
    if (slow !== undefined) setView({ slow }, { replace: true })
  })
  const isInvalid = parseSeconds(draft) === undefined
  return (
    <span className="relative flex items-center gap-1.5 text-quiet">
      <label htmlFor="slow-from">Slow from</label>
      <TextInput
        id="slow-from"
        inputMode="decimal"
        value={draft}
        title="p50 and p99 of at least this many seconds are shown as slow"
        aria-invalid={isInvalid}
        aria-describedby="slow-from-error"
        onChange={({ target }) => setDraft(target.value)}
        className="w-14! text-right tabular-nums"
      />
      <span aria-hidden="true">s</span>
      {/* Above what is below: a message that comes and goes must not move the rows. */}
      <span id="slow-from-error" role="alert" className="absolute top-full right-0 z-10 mt-1 whitespace-nowrap">
        {isInvalid && (
          <span className="block rounded-md bg-surface px-2 py-1 text-bad shadow-float forced-colors:border">
            Not a number of seconds. Type one such as 2.5.
          </span>
        )}
      </span>
    </span>
  )
}

/** Milliseconds; 0 for an empty text, undefined for one that is no number of seconds. */
function parseSeconds(text: string): number | undefined {
  const seconds = Number(text.trim().replace(',', '.'))
  return seconds >= 0 && seconds < 1_000_000 ? Math.round(seconds * 1000) : undefined
}

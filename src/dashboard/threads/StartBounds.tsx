import { TimeRangeForm } from '../table/filter/TimeRangeForm'
import type { SetView } from '../table/view/use-url-state'
import type { ThreadView } from './thread-view'

type Props = {
  view: ThreadView
  setView: SetView<ThreadView>
  // Not imported: the popovers are one file, which must not need that of the threads.
  windows: readonly { value: ThreadView['window']; label: string }[]
  close: () => void
}

/** When the turns that count have started. */
export function StartBounds({ view, setView, windows, close }: Props) {
  return (
    <TimeRangeForm
      label="Turns started"
      bounds={['After', 'Before']}
      presets={windows}
      preset={view.window}
      range={view}
      onPreset={(window) => setView({ window, after: '', before: '' })}
      onRange={(range) => setView({ window: 'all', ...range })}
      close={close}
    />
  )
}

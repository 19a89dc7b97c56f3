import { TimeRangeForm } from '../../table/filter/TimeRangeForm'
import type { SetView } from '../../table/view/use-url-state'
import type { SpendView } from './spend-view'

type Props = { view: SpendView; setView: SetView<SpendView>; close: () => void }

const presets = [
  { value: '24h', label: 'Last 24 hours', hint: 'by hour' },
  { value: '7d', label: 'Last 7 days', hint: 'by day' },
  { value: '30d', label: 'Last 30 days', hint: 'by day' },
] as const

/** The window whose calls are counted. */
export function WindowForm({ view, setView, close }: Props) {
  return (
    <TimeRangeForm
      label="Window"
      bounds={['From', 'To, not included']}
      presets={presets}
      preset={view.window}
      range={view}
      onPreset={(window) => setView({ window, after: '', before: '' })}
      onRange={setView}
      close={close}
    />
  )
}

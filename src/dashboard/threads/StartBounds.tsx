import { useState } from 'react'
import { type Preferences, usePreferences } from '../format/preferences'
import { formatTime, formatZone } from '../format/instant'
import { Button } from '../ui/Button'
import { Field } from '../ui/Field'
import { TextInput } from '../ui/TextInput'
import type { SetView } from '../table/view/use-url-state'
import type { ThreadView } from './thread-view'

type Zone = Preferences['zone']
type Props = { view: ThreadView; setView: SetView<ThreadView>; close: () => void }

/** A time range for the start of turns, in the chosen time zone. */
export function StartBounds({ view, setView, close }: Props) {
  const { zone } = usePreferences()
  const [after, setAfter] = useState(toInputValue(view.after, zone))
  const [before, setBefore] = useState(toInputValue(view.before, zone))
  const isEmptyRange = after !== '' && before !== '' && before <= after
  return (
    <form
      className="flex w-64 flex-col gap-2 p-3"
      onSubmit={(event) => {
        event.preventDefault()
        if (isEmptyRange) return
        setView({ window: 'all', after: toWireTime(after, zone), before: toWireTime(before, zone) })
        close()
      }}
    >
      <Field label="Turns started after" hint={formatZone(zone)}>
        {(control) => (
          <TextInput
            {...control}
            type="datetime-local"
            step="1"
            value={after}
            onChange={({ target }) => setAfter(target.value)}
          />
        )}
      </Field>
      <Field label="Turns started before" error={isEmptyRange ? 'Must be later than the time above.' : undefined}>
        {(control) => (
          <TextInput
            {...control}
            type="datetime-local"
            step="1"
            value={before}
            onChange={({ target }) => setBefore(target.value)}
          />
        )}
      </Field>
      <div className="flex justify-end gap-2">
        <Button
          onClick={() => {
            setView({ after: '', before: '' })
            close()
          }}
        >
          Any time
        </Button>
        <Button type="submit" variant="primary">
          Apply
        </Button>
      </div>
    </form>
  )
}

/** The value of a datetime-local field: a time without a zone. */
function toInputValue(iso: string, zone: Zone): string {
  return iso === '' ? '' : formatTime(iso, zone).replace(' ', 'T')
}

function toWireTime(value: string, zone: Zone): string {
  const date = new Date(zone === 'utc' ? `${value}Z` : value)
  return value === '' || Number.isNaN(date.getTime()) ? '' : date.toISOString().replace('.000Z', 'Z')
}

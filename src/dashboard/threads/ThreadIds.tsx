import { useState } from 'react'
import { Button } from '../ui/Button'
import { Field } from '../ui/Field'
import { TextArea } from '../ui/TextInput'
import type { SetView } from '../table/view/use-url-state'
import { parseThreadIds } from './parse-thread-ids'
import type { ThreadView } from './thread-view'

type Props = { view: ThreadView; setView: SetView<ThreadView>; close: () => void }

// This many ids of usual length fit into a URL that every server and browser accepts.
const maxIds = 200

export function ThreadIds({ view, setView, close }: Props) {
  const [text, setText] = useState(view.thread.join('\n'))
  const ids = parseThreadIds(text)
  const isTooMany = ids.length > maxIds
  return (
    <form
      className="flex w-80 max-w-full flex-col gap-2 p-3"
      onSubmit={(event) => {
        event.preventDefault()
        if (isTooMany) return
        setView({ thread: ids })
        close()
      }}
    >
      <Field
        label="Thread ids"
        hint="Paste one or many: lines, commas or JSON. Ids must match exactly."
        error={isTooMany ? `${ids.length} ids; the limit is ${maxIds}.` : undefined}
      >
        {(control) => (
          <TextArea
            {...control}
            rows={6}
            value={text}
            onChange={({ target }) => setText(target.value)}
            className="font-mono text-xs"
          />
        )}
      </Field>
      <div className="flex items-center justify-end gap-2">
        <output className="mr-auto text-quiet">{ids.length === 1 ? '1 id' : `${ids.length} ids`}</output>
        <Button
          onClick={() => {
            setView({ thread: [] })
            close()
          }}
        >
          All threads
        </Button>
        <Button type="submit" variant="primary">
          Apply
        </Button>
      </div>
    </form>
  )
}

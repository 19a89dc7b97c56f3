import { useState } from 'react'
import type { SetView } from '../table/view/use-url-state'
import { Button } from '../ui/Button'
import { Field } from '../ui/Field'
import { TextInput } from '../ui/TextInput'
import { NoSearch } from './NoSearch'
import { hasWord, noWordMessage, type ThreadView } from './thread-view'

type Props = { view: ThreadView; setView: SetView<ThreadView>; canSearch: boolean | undefined; close: () => void }

// The wire's limit.
const maxLength = 1000

/** Words that calls of a thread contain. */
export function WordsFilter({ view, setView, canSearch, close }: Props) {
  const [text, setText] = useState(view.text)
  const isWordless = text.trim() !== '' && !hasWord(text)
  return (
    <form
      className="flex w-80 max-w-full flex-col gap-2 p-3"
      onSubmit={(event) => {
        event.preventDefault()
        if (isWordless) return
        setView({ text: text.trim() })
        close()
      }}
    >
      <NoSearch canSearch={canSearch} />
      <fieldset disabled={canSearch === false} className="contents">
        <Field
          label="Words"
          hint="All in the inputs, output or error of one call. Whole words, or refund* for words that begin so."
          error={isWordless ? noWordMessage : undefined}
        >
          {(control) => (
            <TextInput {...control} maxLength={maxLength} value={text} onChange={({ target }) => setText(target.value)} />
          )}
        </Field>
        <div className="flex justify-end gap-2">
          <Button
            onClick={() => {
              setView({ text: '' })
              close()
            }}
          >
            Any words
          </Button>
          <Button type="submit" variant="primary">
            Apply
          </Button>
        </div>
      </fieldset>
    </form>
  )
}

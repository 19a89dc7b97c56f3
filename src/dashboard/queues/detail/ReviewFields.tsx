import { useId, useState } from 'react'
import { maxAssignees } from '../../../contract/limits'
import { formatVisibleText } from '../../format/visible-text'
import { announce } from '../../ui/announce'
import { Chip } from '../../ui/Chip'
import { Field } from '../../ui/Field'
import { Segmented } from '../../ui/Segmented'
import { TextInput } from '../../ui/TextInput'
import { addNames, parseNames, type ReviewSettings } from './review-settings'

type Props = {
  settings: ReviewSettings
  onChange: (settings: ReviewSettings) => void
  /** Usernames to suggest. */
  people: readonly string[]
  errors: { reviewsPerItem?: string | undefined; assignees?: string | undefined }
}

const counts = ['1', '2', '3', '4', '5'].map((value) => ({ value, label: value }))

/** How many people judge an item, and who. */
export function ReviewFields({ settings, onChange, people, errors }: Props) {
  const { reviews_per_item: count, assignees } = settings
  const listId = useId()
  const [typed, setTyped] = useState('')
  const setAssignees = (names: string[]) => onChange({ ...settings, assignees: names })
  const add = (text: string) => {
    const names = parseNames(text)
    if (names.length > 0) setAssignees(addNames(assignees, names))
    setTyped('')
  }
  const suggested = people.filter((name) => !assignees.includes(name))
  return (
    <>
      <div className="flex flex-col items-start gap-1">
        <span className="flex flex-wrap items-baseline gap-x-2">
          Reviews per item <span className="text-xs text-quiet">different people judge each item</span>
        </span>
        <Segmented
          label="Reviews per item"
          value={String(count)}
          options={counts}
          onChange={(value) => onChange({ ...settings, reviews_per_item: Number(value) })}
        />
        {errors.reviewsPerItem && <p className="text-bad">{errors.reviewsPerItem}</p>}
      </div>
      <Field
        id="queue-assignees"
        label="Assignees"
        isOptional
        hint={assignees.length === 0 ? 'Without a name everyone may review' : 'Enter adds a username'}
        error={errors.assignees}
      >
        {(control) => (
          <>
            {assignees.length > 0 && (
              <ul aria-label="Assignees" className="flex flex-wrap gap-1">
                {assignees.map((name) => (
                  <li key={name} className="max-w-full">
                    <Chip
                      onRemove={() => {
                        setAssignees(assignees.filter((each) => each !== name))
                        announce(`${formatVisibleText(name)} removed`)
                      }}
                      removeLabel={`Remove ${formatVisibleText(name)}`}
                    >
                      {formatVisibleText(name)}
                    </Chip>
                  </li>
                ))}
              </ul>
            )}
            <TextInput
              {...control}
              list={listId}
              value={typed}
              placeholder="Username"
              disabled={assignees.length >= maxAssignees}
              // A name that is chosen from the list is complete; a typed one ends with a comma, Enter or another field.
              onChange={({ target: { value } }) =>
                suggested.includes(value) || /[,;]/.test(value) ? add(value) : setTyped(value)
              }
              onBlur={() => add(typed)}
              onKeyDown={(event) => {
                if (event.key !== 'Enter' || typed.trim() === '') return
                event.preventDefault()
                add(typed)
              }}
            />
            <datalist id={listId}>
              {suggested.map((name) => (
                <option key={name} value={name}>
                  {formatVisibleText(name)}
                </option>
              ))}
            </datalist>
          </>
        )}
      </Field>
    </>
  )
}

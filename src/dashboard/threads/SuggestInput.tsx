/* oxlint-disable jsx-a11y/prefer-tag-over-role, jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus -- no native element is a list under a text field; the field keeps focus and keyboard */
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type ComponentProps, type KeyboardEvent, useId, useState } from 'react'
import { type FilterField, suggestFilterValues } from '../../contract/filter-values'
import { useConnection } from '../client/connection-context'
import { endpointQuery } from '../client/endpoint-query'
import { formatVisibleText } from '../format/visible-text'
import { useDebouncedText } from '../table/view/use-debounced-text'
import { TextInput } from '../ui/TextInput'
import { addToList, splitLast } from './complete-list'

type Props = Omit<ComponentProps<'input'>, 'onChange' | 'value'> & {
  field: FilterField
  /** Values with commas between them; the last one is completed. */
  value: string
  onChange: (value: string) => void
}

const maxShown = 8

/**
 * A text field for a list of values that completes the last one by what the calls of the project have. Where the service
 * suggests none, it is a text field.
 */
export function SuggestInput({ field, value, onChange, ...rest }: Props) {
  const id = useId()
  const connection = useConnection()
  const [isOpen, setIsOpen] = useState(false)
  const [active, setActive] = useState(-1)
  const { values: before, last } = splitLast(value)
  const [asked, setAsked] = useState(last)
  const [, ask] = useDebouncedText(asked, setAsked)
  const { data } = useQuery({
    ...endpointQuery(
      suggestFilterValues,
      { project_id: connection.projectId, field, ...(asked && { text: asked }), limit: maxShown + before.length },
      connection,
    ),
    enabled: isOpen,
    placeholderData: keepPreviousData,
    retry: false,
  })
  const found = (data?.values ?? []).filter((each) => !before.includes(each) && each !== last).slice(0, maxShown)
  const isShown = isOpen && found.length > 0
  const change = (text: string) => {
    onChange(text)
    ask(splitLast(text).last)
    setIsOpen(true)
    setActive(-1)
  }
  const pick = (picked: string) => {
    onChange(addToList(before, picked))
    setIsOpen(false)
    setActive(-1)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step !== undefined) {
      setIsOpen(true)
      // One place more than there are values: in it the text is taken as it is.
      const places = found.length + 1
      setActive(((active + 1 + step + places) % places) - 1)
    } else if (!isShown) return
    else if (event.key === 'Escape') setIsOpen(false)
    else if (event.key === 'Enter' && found[active] !== undefined) pick(found[active])
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  return (
    <span className="relative min-w-0 flex-1">
      <TextInput
        {...rest}
        value={value}
        role="combobox"
        aria-autocomplete="list"
        aria-expanded={isShown}
        aria-controls={isShown ? `${id}-list` : undefined}
        aria-activedescendant={isShown && active >= 0 ? `${id}-${active}` : undefined}
        onChange={({ target }) => change(target.value)}
        onKeyDown={onKeyDown}
        onBlur={() => setIsOpen(false)}
      />
      {isShown && (
        <div id={`${id}-list`} role="listbox" aria-label="Suggestions" className="suggestions">
          {found.map((each, index) => (
            <div
              key={each}
              id={`${id}-${index}`}
              role="option"
              aria-selected={index === active}
              // The field keeps the focus.
              onPointerDown={(event) => event.preventDefault()}
              onClick={() => pick(each)}
              className="cursor-pointer px-2 py-1 wrap-anywhere hover:bg-hover aria-selected:marked"
            >
              <bdi>{formatVisibleText(each)}</bdi>
            </div>
          ))}
        </div>
      )}
      <output className="sr-only">{isShown && `${found.length} suggestions`}</output>
    </span>
  )
}

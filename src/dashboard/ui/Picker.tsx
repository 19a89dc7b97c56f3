/* oxlint-disable jsx-a11y/prefer-tag-over-role, jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus -- no native element is a list under a text field; the field keeps focus and keyboard */
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import { askForFocus } from './ask-for-focus'
import { Icon } from './Icon'
import { Kbd } from './Kbd'
import { filterOptions, type PickerOption } from './filter-options'
import { useIsAnswered } from './late-answers'

type Props<Option extends PickerOption> = {
  label: string
  placeholder: string
  /** What was typed before; where it ends in a line break, the first match is picked. */
  initialText?: string
  options: readonly Option[]
  onPick: (option: Option) => void
  /** Turns the typed text, which may be empty, into options, for pickers that accept free text. */
  toCustomOptions?: ((text: string) => readonly Option[]) | undefined
  emptyText: string
  /** Said while more options load and nothing but guesses match. Enter then picks the first match when they are there. */
  loadingText?: string
  /** Some options could not be loaded. An Enter that waited for them then picks no guess: it may have meant one of them. */
  isIncomplete?: boolean
}

/** Thousands of lines take the browser seconds, and nobody reads them: typing finds the others. */
const maxLines = 200

/** A combobox: a text field that filters the list below it. The focus stays in the field. */
export function Picker<Option extends PickerOption>({
  label,
  placeholder,
  initialText = '',
  options,
  onPick,
  toCustomOptions,
  emptyText,
  loadingText = '',
  isIncomplete = false,
}: Props<Option>) {
  const id = useId()
  const [text, setText] = useState(initialText.replace('\n', ''))
  const [activeId, setActiveId] = useState<string>()
  const list = useRef<HTMLDivElement>(null)
  const input = useRef<HTMLInputElement>(null)
  const isPickAwaited = useRef(initialText.endsWith('\n'))
  const matches = filterOptions(options, text, toCustomOptions?.(text.trim()))
  const found = matches.slice(0, maxLines)
  const isCut = found.length < matches.length
  const shown = useIsAnswered() ? found : []
  // Options that load move the others: the one that was moved to stays the active one.
  const movedTo = found.findIndex((option) => option.id === activeId)
  const isWaiting = loadingText !== '' && movedTo < 0 && found[0]?.isGuess === true
  const activeIndex = movedTo < 0 && !isWaiting ? 0 : movedTo

  // The picker opens for typing. A dialog that is not shown yet gives it the focus later.
  useEffect(() => {
    askForFocus(input.current)
    input.current?.focus()
  }, [])
  // The active option is not focused, so the browser does not scroll to it.
  useEffect(() => {
    list.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' })
  })
  // Only a response ends the wait, and what is picked changes the page. Enter was pressed for an option that was not there yet.
  useEffect(() => {
    if (loadingText || !isPickAwaited.current) return
    isPickAwaited.current = false
    const [first] = found
    if (first && (options.includes(first) || (first.isGuess && !isIncomplete))) onPick(first)
  })

  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1, PageDown: 8, PageUp: -8 }[event.key]
    if (step !== undefined) {
      const next = activeIndex + step
      const isWrapped = Math.abs(step) === 1
      const index = isWrapped ? (next + found.length) % Math.max(1, found.length) : Math.max(0, Math.min(found.length - 1, next))
      setActiveId(found[index]?.id)
      isPickAwaited.current = false
    } else if (event.key === 'Enter') {
      const option = found[activeIndex]
      if (option) onPick(option)
      else isPickAwaited.current = loadingText !== ''
    } else return
    event.preventDefault()
  }

  return (
    <div className="flex min-h-0 flex-col">
      <div className="relative border-b border-line">
        <Icon name="search" className="pointer-events-none absolute top-3 left-3 text-faint" />
        <input
          ref={input}
          role="combobox"
          aria-label={label}
          aria-expanded="true"
          aria-controls={`${id}-list`}
          aria-activedescendant={found[activeIndex] ? `${id}-${activeIndex}` : undefined}
          aria-autocomplete="list"
          placeholder={placeholder}
          autoComplete="off"
          spellCheck={false}
          value={text}
          onChange={(event) => {
            setText(event.target.value)
            setActiveId(undefined)
            isPickAwaited.current = false
          }}
          onKeyDown={onKeyDown}
          className="h-10 w-full bg-transparent pr-3 pl-9 outline-none placeholder:text-faint"
        />
      </div>
      {/* The text field handles the keyboard; the options only handle the pointer. */}
      <div ref={list} id={`${id}-list`} role="listbox" aria-label={label} className="min-h-0 overflow-y-auto py-1">
        {shown.map((option, index) => {
          const isFirstOfGroup = option.group !== undefined && option.group !== found[index - 1]?.group
          return (
            <PickerLine
              key={option.id}
              id={`${id}-${index}`}
              option={option}
              heading={isFirstOfGroup ? option.group : undefined}
              isActive={index === activeIndex}
              onPoint={() => setActiveId(option.id)}
              onPick={() => onPick(option)}
            />
          )
        })}
      </div>
      <output className={found.length === 0 || isWaiting || isCut ? 'block px-3 py-1 text-quiet' : 'sr-only'}>
        {found.length === 0 || isWaiting
          ? loadingText || emptyText
          : isCut
            ? `The first ${maxLines} of ${matches.length}. Type to find others.`
            : `${found.length} found`}
      </output>
    </div>
  )
}

type LineProps = {
  id: string
  option: PickerOption
  heading: string | undefined
  isActive: boolean
  onPoint: () => void
  onPick: () => void
}

function PickerLine({ id, option, heading, isActive, onPoint, onPick }: LineProps) {
  return (
    <>
      {heading && (
        <p role="presentation" className="px-3 pt-2 pb-1 text-xs font-semibold text-quiet">
          {heading}
        </p>
      )}
      <div
        id={id}
        role="option"
        aria-selected={isActive}
        onPointerMove={isActive ? undefined : onPoint}
        onClick={onPick}
        className="flex min-h-8 cursor-pointer items-center gap-2 px-3 py-0.5 aria-selected:marked"
      >
        {option.icon && <Icon name={option.icon} className="text-quiet" />}
        <span className="min-w-0 flex-1">
          <bdi className="line-clamp-3 wrap-anywhere">{option.label}</bdi>
          {option.detail && <bdi className="line-clamp-2 text-xs wrap-anywhere text-quiet">{option.detail}</bdi>}
        </span>
        {option.aside && (
          <bdi className="line-clamp-2 max-w-2/5 shrink-0 text-right text-xs wrap-anywhere text-quiet">{option.aside}</bdi>
        )}
        {option.keys && <Kbd keys={option.keys} />}
        {option.isCurrent && (
          <>
            <Icon name="check" className="text-accent" />
            <span className="sr-only">in use</span>
          </>
        )}
      </div>
    </>
  )
}

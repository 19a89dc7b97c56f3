/* oxlint-disable jsx-a11y/prefer-tag-over-role, jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus -- no native element is a list under a text field; the field keeps focus and keyboard */
import { type KeyboardEvent, useId, useMemo, useRef, useState } from 'react'
import { formatCount } from '../../format/count'
import { ForeignText } from '../../format/ForeignText'
import { formatVisibleText } from '../../format/visible-text'
import { announce } from '../../ui/announce'
import { Chip } from '../../ui/Chip'
import { Icon } from '../../ui/Icon'
import { Kbd } from '../../ui/Kbd'
import { TextInput } from '../../ui/TextInput'
import { type Choice, type Entered, findChoices, listChosen, maxChoiceKeys, toChoiceLabel, toggleChoice } from './answer-control'

const rowPx = 28
const visibleRows = 9
const rowsAround = 4
const rowsPerPage = visibleRows - 1
const maxChips = 30
/** A longer label may be cut in the list. */
const fittingLength = 40

export type FieldAttributes = {
  'aria-labelledby': string
  'aria-describedby': string
  'aria-invalid': true | undefined
  required: boolean
  readOnly: boolean
}

type Props = {
  kind: 'one-of' | 'some-of'
  choices: readonly Choice[]
  entered: Entered
  isDisabled: boolean
  attributes: FieldAttributes
  onEnter: (entered: Entered) => void
}

/** Thousands of choices: a text field that finds them, and a list that draws only the rows in view. */
export function ChoicePicker({ kind, choices, entered, isDisabled, attributes, onEnter }: Props) {
  const id = useId()
  const [text, setText] = useState('')
  const found = useMemo(() => findChoices(choices, text), [choices, text])
  const list = useRef<HTMLDivElement>(null)
  const [scrollTop, setScrollTop] = useState(0)
  /** -1: none. Enter then goes on to the next field. */
  const [active, setActive] = useState(-1)
  const chosen = listChosen(kind, entered)
  const chosenLabels = new Set(chosen.map(toChoiceLabel))
  const isChosen = ({ label }: Choice) => chosenLabels.has(label)
  const first = Math.max(0, Math.floor(scrollTop / rowPx) - rowsAround)
  const drawn = found.slice(first, first + visibleRows + 2 * rowsAround)
  const activeLabel = found[active]?.label
  const isActiveDrawn = active >= first && active < first + drawn.length

  const scrollTo = (top: number) => {
    setScrollTop(top)
    if (list.current) list.current.scrollTop = top
  }
  const find = (typed: string) => {
    setText(typed)
    setActive(typed.trim() === '' ? -1 : 0)
    scrollTo(0)
  }
  const activate = (index: number) => {
    const top = index * rowPx
    setActive(index)
    scrollTo(Math.max(top - (visibleRows - 1) * rowPx, Math.min(top, scrollTop)))
  }
  const pick = (choice: Choice) => {
    if (isDisabled || attributes.readOnly) return
    onEnter(toggleChoice(kind, entered, choice))
    announce(`${formatVisibleText(choice.label)} ${kind === 'some-of' && isChosen(choice) ? 'removed' : 'chosen'}`)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return
    const step = { ArrowDown: 1, ArrowUp: -1, PageDown: rowsPerPage, PageUp: -rowsPerPage }[event.key]
    const last = found.length - 1
    if (step !== undefined) {
      const next = active + step
      const isWrapped = Math.abs(step) === 1 && (next < 0 || next > last)
      if (last >= 0) activate(isWrapped ? (step > 0 ? 0 : last) : Math.max(0, Math.min(last, next)))
    } else if (event.key === 'Enter' && found[active]) {
      pick(found[active])
      find('')
    } else if (event.key === 'Enter' && text !== '') {
      // Nothing is found: to go on would lose what was typed.
    } else return
    event.preventDefault()
  }

  return (
    <div data-unanswered={chosen.length === 0 || undefined} className="group/picker flex min-w-0 flex-col gap-1.5">
      {chosen.length > 0 && (
        <ul aria-label="Chosen" className="flex min-w-0 flex-wrap items-center gap-1">
          {chosen.slice(0, maxChips).map((value) => {
            const label = toChoiceLabel(value)
            return (
              <li key={label} className="flex max-w-full min-w-0">
                <Chip
                  tone="info"
                  hasIcon={false}
                  {...(kind === 'some-of' &&
                    !isDisabled && {
                      onRemove: () => onEnter(chosen.filter((each) => each !== value)),
                      removeLabel: `Remove ${formatVisibleText(label)}`,
                    })}
                >
                  <ForeignText text={label} />
                </Chip>
              </li>
            )
          })}
          {chosen.length > maxChips && <li>{`and ${formatCount(String(chosen.length - maxChips))} more`}</li>}
        </ul>
      )}
      <div className="relative">
        <Icon name="search" className="pointer-events-none absolute top-1.5 left-2 text-faint" />
        <TextInput
          {...attributes}
          role="combobox"
          aria-required={attributes.required}
          required={undefined}
          aria-expanded="true"
          aria-autocomplete="list"
          aria-controls={`${id}-list`}
          aria-activedescendant={isActiveDrawn ? `${id}-${active}` : undefined}
          placeholder={`Find among ${formatCount(String(choices.length))}`}
          value={text}
          onChange={({ target }) => find(target.value)}
          onKeyDown={onKeyDown}
          className="pr-2 pl-7.5"
        />
        {chosen.length === 0 && (
          <span
            aria-hidden="true"
            className="pointer-events-none absolute top-1 right-2 group-has-[input:focus]/picker:invisible max-md:hidden"
          >
            <Kbd keys="Enter" />
          </span>
        )}
      </div>
      <div
        ref={list}
        id={`${id}-list`}
        role="listbox"
        aria-labelledby={attributes['aria-labelledby']}
        aria-multiselectable={kind === 'some-of' || undefined}
        tabIndex={-1}
        // The text field keeps the focus.
        onMouseDown={(event) => event.preventDefault()}
        onScroll={({ currentTarget }) => setScrollTop(currentTarget.scrollTop)}
        // Of one height, whatever is typed: nothing below moves.
        style={{ height: visibleRows * rowPx }}
        className="overflow-y-auto overscroll-contain rounded-md border border-line bg-surface outline-none"
      >
        {found.length > 0 && (
          <div role="presentation" style={{ height: found.length * rowPx, paddingTop: first * rowPx }}>
            {drawn.map((choice, offset) => {
              const index = first + offset
              return (
                <div
                  key={index}
                  id={`${id}-${index}`}
                  role="option"
                  aria-selected={isChosen(choice)}
                  aria-disabled={isDisabled || undefined}
                  aria-setsize={found.length}
                  aria-posinset={index + 1}
                  // Of the choices that are shown.
                  data-choice-key={index < maxChoiceKeys ? index + 1 : undefined}
                  data-active={index === active || undefined}
                  onClick={() => pick(choice)}
                  style={{ height: rowPx }}
                  className="answer-option"
                >
                  <span className="min-w-0 flex-1">
                    <ForeignText text={choice.label} isOneLine />
                  </span>
                  {isChosen(choice) && <Icon name="check" className="text-accent" />}
                  {index < maxChoiceKeys && (
                    <span aria-hidden="true" className="group-has-[input:focus]/picker:invisible max-md:hidden">
                      <Kbd keys={String(index + 1)} />
                    </span>
                  )}
                </div>
              )
            })}
          </div>
        )}
      </div>
      {activeLabel && activeLabel.length > fittingLength && (
        <p aria-hidden="true" className="text-xs wrap-anywhere">
          <ForeignText text={activeLabel} />
        </p>
      )}
      <output className="text-xs text-quiet">
        {found.length === 0
          ? 'No choice has these words.'
          : text.trim() !== '' && `${formatCount(String(found.length))} of ${formatCount(String(choices.length))}`}
      </output>
    </div>
  )
}

import { type KeyboardEvent, useId } from 'react'
import type { ReceivedObject } from '../../../contract/received-objects'
import { ForeignText } from '../../format/ForeignText'
import { RefVersion } from '../../format/RefVersion'
import { formatVisibleLines } from '../../format/visible-text'
import { Button } from '../../ui/Button'
import { Icon } from '../../ui/Icon'
import { Kbd } from '../../ui/Kbd'
import { TextArea, TextInput } from '../../ui/TextInput'
import {
  type AnswerControl,
  type Entered,
  hasManyChoices,
  isOptional,
  isSameValue,
  listChosen,
  type NumberControl,
  parseNumber,
  toggleChoice,
} from './answer-control'
import { ChoicePicker, type FieldAttributes } from './ChoicePicker'
import type { AnswerField } from './sent-answers'

type Props = {
  field: Omit<AnswerField, 'name'>
  /** What its reference leads to, where that is known. */
  version: ReceivedObject | undefined
  entered: Entered
  problem: string | undefined
  isDisabled: boolean
  /** For a moment: what is entered now would be lost. */
  isReadOnly?: boolean
  onEnter: (entered: Entered) => void
}

/** One scorer as a control. The group itself takes the focus, so that keys can choose without changing a radio button by arrows. */
export function AnswerInput({ field, version, entered, problem, isDisabled, isReadOnly = false, onEnter }: Props) {
  const id = useId()
  const { title, description, control, schema } = field
  const isOptionalField = isOptional(schema, control)
  const hasMany = hasManyChoices(control)
  const isOneOf = control.kind === 'one-of'
  const isRadioGroup = isOneOf && !hasMany
  const describedBy = `${description ? `${id}-about ` : ''}${id}-problem`
  const attributes = {
    'aria-labelledby': `${id}-name`,
    'aria-describedby': describedBy,
    'aria-invalid': problem ? (true as const) : undefined,
    required: !isOptionalField,
    readOnly: isReadOnly,
  }
  return (
    <fieldset
      data-answer-field={field.ref}
      role={isRadioGroup ? 'radiogroup' : 'group'}
      aria-labelledby={`${id}-name`}
      aria-describedby={describedBy}
      {...(isRadioGroup && { 'aria-required': !isOptionalField, 'aria-invalid': problem !== undefined })}
      tabIndex={-1}
      disabled={isDisabled}
      aria-disabled={isReadOnly || undefined}
      className="answer"
    >
      <p className="flex flex-wrap items-baseline gap-x-2">
        <span id={`${id}-name`} className="min-w-0 font-semibold wrap-anywhere">
          <ForeignText text={title} />
        </span>
        <span className="text-xs text-faint">
          <RefVersion scorerRef={field.ref} version={version} />
        </span>
        <span className="ml-auto text-xs text-quiet">{isOptionalField ? 'optional' : 'required'}</span>
      </p>
      {description && (
        <p id={`${id}-about`} className="mt-0.5 wrap-anywhere whitespace-pre-wrap text-quiet [unicode-bidi:plaintext]">
          {formatVisibleLines(description)}
        </p>
      )}
      <div className="mt-1.5">
        {hasMany ? (
          <ChoicePicker {...control} {...{ entered, isDisabled, attributes, onEnter }} />
        ) : (
          <Control control={control} entered={entered} onEnter={onEnter} name={id} attributes={attributes} />
        )}
        {isOneOf && isOptionalField && entered !== undefined && (
          <Button variant="quiet" className="mt-1 -ml-2.5" onClick={() => onEnter(undefined)}>
            Clear
          </Button>
        )}
      </div>
      <p id={`${id}-problem`} aria-live="polite" className="text-bad">
        {problem && (
          <span className="mt-1 flex items-start gap-1.5">
            <Icon name="error" className="mt-0.5" />
            <span className="min-w-0 break-words">{problem}</span>
          </span>
        )}
      </p>
    </fieldset>
  )
}

type ControlProps = {
  control: AnswerControl
  entered: Entered
  name: string
  attributes: FieldAttributes
  onEnter: (entered: Entered) => void
}

function Control({ control, entered, name, attributes, onEnter }: ControlProps) {
  const typed = typeof entered === 'string' ? entered : ''
  switch (control.kind) {
    case 'one-of':
    case 'some-of':
      return <Choices control={control} entered={entered} name={name} onEnter={onEnter} />
    case 'number':
      return <NumberInput control={control} typed={typed} attributes={attributes} onEnter={onEnter} />
    default:
      return (
        <TextArea
          {...attributes}
          value={typed}
          spellCheck={control.kind === 'text'}
          onChange={(event) => onEnter(event.target.value)}
          placeholder={control.kind === 'json' ? 'JSON' : undefined}
          className={control.kind === 'json' ? 'font-mono text-xs' : ''}
        />
      )
  }
}

type ChoicesProps = { control: AnswerControl & { kind: 'one-of' | 'some-of' } } & Pick<
  ControlProps,
  'entered' | 'name' | 'onEnter'
>

function Choices({ control: { kind, choices }, entered, name, onEnter }: ChoicesProps) {
  const chosen = listChosen(kind, entered)
  return (
    <div className="flex flex-wrap gap-1.5">
      {choices.map((choice) => (
        <label key={choice.label} className="answer-choice">
          <input
            type={kind === 'one-of' ? 'radio' : 'checkbox'}
            name={name}
            data-choice-key={choice.key}
            checked={chosen.some((each) => isSameValue(each, choice.value))}
            onChange={() => onEnter(toggleChoice(kind, entered, choice))}
            className="size-3.5 shrink-0 accent-accent"
          />
          <span className="min-w-0 wrap-anywhere">
            <ForeignText text={choice.label} />
          </span>
          {choice.key !== undefined && choice.key !== choice.label && (
            <span aria-hidden="true" className="max-md:hidden">
              <Kbd keys={choice.key.toUpperCase()} />
            </span>
          )}
        </label>
      ))}
    </div>
  )
}

type NumberProps = { control: NumberControl; typed: string } & Pick<ControlProps, 'attributes' | 'onEnter'>

/** A text, because a browser's number field gives no text for what is no number yet, such as 1e. The arrows change it all the same. */
function NumberInput({ control: { min, max, step }, typed, attributes, onEnter }: NumberProps) {
  const range = [
    min !== undefined && max !== undefined
      ? `${min} to ${max}`
      : min !== undefined
        ? `from ${min}`
        : max !== undefined && `to ${max}`,
    step !== undefined && (step === 1 ? 'whole numbers' : `in steps of ${step}`),
  ].filter(Boolean)
  const number = parseNumber(typed)
  const stepByArrow = (event: KeyboardEvent) => {
    const by = { ArrowUp: 1, ArrowDown: -1 }[event.key]
    if (by === undefined || (number === undefined && typed !== '')) return
    event.preventDefault()
    // The browser knows the steps and the limits of a number.
    const field = document.createElement('input')
    Object.assign(field, { type: 'number', min: min ?? '', max: max ?? '', step: step ?? 1, value: typed })
    field.stepUp(by)
    onEnter(field.value)
  }
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
      <TextInput
        {...attributes}
        // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- see above
        role="spinbutton"
        aria-valuenow={number}
        // Not every phone has a minus among its digits.
        inputMode={min !== undefined && min >= 0 ? 'decimal' : 'text'}
        value={typed}
        onChange={(event) => onEnter(event.target.value)}
        onKeyDown={stepByArrow}
        className="w-28! tabular-nums"
      />
      {min !== undefined && max !== undefined && (
        <input
          min={min}
          max={max}
          type="range"
          step={step ?? (max - min) / 100}
          aria-labelledby={attributes['aria-labelledby']}
          aria-valuetext={number === undefined ? 'no answer' : typed}
          value={number ?? (min + max) / 2}
          onChange={(event) => onEnter(event.target.value)}
          // Where its hidden handle is, a press changes nothing.
          onClick={({ currentTarget }) => number === undefined && onEnter(currentTarget.value)}
          data-empty={number === undefined || undefined}
          className="answer-slider"
        />
      )}
      {range.length > 0 && (
        <span className="text-xs text-quiet">
          {range.join(', ')}
          {min !== undefined && max !== undefined && typed === '' && ' · no answer'}
        </span>
      )}
    </div>
  )
}

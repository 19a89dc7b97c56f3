import { useId, useRef } from 'react'
import { Radio } from './Radio'

type Props = {
  label: string
  value: string | undefined
  choices: readonly { value: string; label: string; hint?: string }[]
  onChoose: (value: string) => void
  close: () => void
}

/** Radio buttons in a popover. Arrows change the choice; a click or Enter also closes. */
export function ChoiceList({ label, value, choices, onChoose, close }: Props) {
  const name = useId()
  // The browser sends a click for an arrow key too.
  const isPointer = useRef(false)
  return (
    // It only listens to events that bubble up from the radio buttons.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <fieldset
      aria-label={label}
      className="flex min-w-44 flex-col py-1"
      onPointerDown={() => {
        isPointer.current = true
      }}
      onKeyDown={(event) => {
        isPointer.current = false
        if (event.key !== 'Enter') return
        // Closing returns the focus to the trigger, which the same key press would open again.
        event.preventDefault()
        close()
      }}
    >
      {choices.map((choice) => (
        <label
          key={choice.value}
          className="flex min-h-7 cursor-pointer items-center gap-2 px-3 whitespace-nowrap hover:bg-hover has-focus-visible:bg-selected has-focus-visible:inset-shadow-mark"
        >
          <Radio
            name={name}
            choice={choice.value}
            value={value}
            onChoose={() => onChoose(choice.value)}
            onClick={() => {
              if (isPointer.current) close()
            }}
            className="size-3.5 shrink-0 cursor-pointer accent-accent"
          />
          <span className="flex-1">{choice.label}</span>
          {choice.hint && <span className="pl-4 text-xs text-quiet">{choice.hint}</span>}
        </label>
      ))}
    </fieldset>
  )
}

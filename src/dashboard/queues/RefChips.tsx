import { type KeyboardEvent, useState } from 'react'
import { announce } from '../ui/announce'
import { type ChipState, isBad } from './chip-states'
import { readRefs } from './read-refs'
import { RefChip } from './RefChip'
import { RefEditor } from './RefEditor'

type Props = { chips: readonly ChipState[]; onChange: (refs: string[]) => void; focusLater: (id: string) => void }

/** One stop of the Tab key; arrows go from chip to chip, Enter edits, Delete and Backspace remove. */
export function RefChips({ chips, onChange, focusLater }: Props) {
  const [active, setActive] = useState(0)
  const [editing, setEditing] = useState<number>()
  const refs = chips.map(({ text }) => text)
  const activeIndex = Math.min(active, chips.length - 1)

  const goTo = (index: number) => focusLater(index >= 0 && index < chips.length ? `queue-ref-${index}` : 'queue-refs')
  const remove = (index: number, isBackwards: boolean) => {
    onChange(refs.toSpliced(index, 1))
    announce(`Removed ${refs[index]}`)
    const next = isBackwards ? Math.max(0, index - 1) : Math.min(index, chips.length - 2)
    focusLater(chips.length > 1 ? `queue-ref-${next}` : 'queue-refs')
  }
  const onKeyDown = (event: KeyboardEvent, index: number) => {
    const target = {
      ArrowLeft: index - 1,
      ArrowUp: index - 1,
      ArrowRight: index + 1,
      ArrowDown: index + 1,
      Home: 0,
      End: chips.length - 1,
    }[event.key]
    if (target !== undefined) goTo(target < 0 ? 0 : target)
    else if (event.key === 'Delete') remove(index, false)
    else if (event.key === 'Backspace') remove(index, true)
    else if (event.key === 'Escape') focusLater('queue-refs')
    else return
    event.preventDefault()
  }
  const finishEdit = (index: number, text: string, isKept: boolean) => {
    setEditing(undefined)
    if (isKept) onChange(refs.toSpliced(index, 1, ...readRefs(text)))
    focusLater(`queue-ref-${index}`)
  }

  if (chips.length === 0) return null
  return (
    <ul aria-label="Added scorer references" className="flex max-h-90 flex-wrap gap-1 overflow-y-auto p-1 pb-0">
      {chips.map((chip, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- two chips may have the same text: where it stands is what a chip is
        <li key={`${index} ${chip.text}`} className={isBad(chip) || editing === index ? 'w-full' : 'max-w-full'}>
          {editing === index ? (
            <RefEditor text={chip.text} onFinish={(text, isKept) => finishEdit(index, text, isKept)} />
          ) : (
            <RefChip
              id={`queue-ref-${index}`}
              chip={chip}
              isTabStop={index === activeIndex}
              onFocus={() => setActive(index)}
              onEdit={() => setEditing(index)}
              onKeyDown={(event) => onKeyDown(event, index)}
              onRemove={() => remove(index, false)}
            />
          )}
        </li>
      ))}
    </ul>
  )
}

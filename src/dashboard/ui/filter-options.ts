import type { IconName } from './Icon'

export type PickerOption = {
  id: string
  label: string
  /** Options of the same group must stand together; the name of the group is their heading. */
  group?: string
  icon?: IconName
  /** Quiet text at the end of the line. */
  aside?: string
  /** Quiet text below the label. */
  detail?: string
  /** The keyboard shortcut for the same action. */
  keys?: string
  isCurrent?: boolean
  /** What the typed text may mean too, such as an id. While more options load, Enter waits for them: only an arrow or the pointer chooses it. */
  isGuess?: boolean
}

/**
 * The options whose texts contain every typed word. Labels that start with the text come first; otherwise the
 * order is kept. `customOptions`, made from the text itself, come last, without those whose id an option has.
 */
export function filterOptions<Option extends PickerOption>(
  options: readonly Option[],
  text: string,
  customOptions: readonly Option[] = [],
): Option[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean)
  const prefix = words.join(' ')
  const found = options.filter(({ label, group = '', aside = '', detail = '' }) => {
    const haystack = [group, label, aside, detail].join('\n').toLowerCase()
    return words.every((word) => haystack.includes(word))
  })
  const hasPrefix = ({ label }: PickerOption) => label.toLowerCase().startsWith(prefix)
  const matches = prefix === '' ? found : [...found.filter(hasPrefix), ...found.filter((option) => !hasPrefix(option))]
  return [...matches, ...customOptions.filter((custom) => !options.some(({ id }) => id === custom.id))]
}

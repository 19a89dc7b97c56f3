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
}

/**
 * The options whose texts contain every typed word. Labels that start with the text come first; otherwise the
 * order is kept. `customOption`, made from the text itself, comes last unless an option with its id exists.
 */
export function filterOptions(options: readonly PickerOption[], text: string, customOption?: PickerOption): PickerOption[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean)
  const prefix = words.join(' ')
  const found = options.filter(({ label, group = '', aside = '', detail = '' }) => {
    const haystack = [group, label, aside, detail].join('\n').toLowerCase()
    return words.every((word) => haystack.includes(word))
  })
  const hasPrefix = ({ label }: PickerOption) => label.toLowerCase().startsWith(prefix)
  const matches = prefix === '' ? found : [...found.filter(hasPrefix), ...found.filter((option) => !hasPrefix(option))]
  return customOption && !options.some(({ id }) => id === customOption.id) ? [...matches, customOption] : matches
}

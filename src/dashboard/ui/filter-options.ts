import type { IconName } from './Icon'

export type PickerOption = {
  id: string
  label: string
  /** Options of one group stand together under its name. */
  group?: string
  icon?: IconName
  /** Quiet words at the end of the line. */
  aside?: string
  /** Keys that do the same without the picker. */
  keys?: string
  isCurrent?: boolean
}

/**
 * The options whose group and label contain every typed word. Labels that start with the text come first; otherwise the
 * order is kept. `customOption`, made from the text itself, comes last unless an option with its id exists.
 */
export function filterOptions(options: readonly PickerOption[], text: string, customOption?: PickerOption): PickerOption[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean)
  const prefix = words.join(' ')
  const found = options.filter(({ label, group = '' }) => {
    const haystack = `${group} ${label}`.toLowerCase()
    return words.every((word) => haystack.includes(word))
  })
  const hasPrefix = ({ label }: PickerOption) => label.toLowerCase().startsWith(prefix)
  const matches = prefix === '' ? found : [...found.filter(hasPrefix), ...found.filter((option) => !hasPrefix(option))]
  return customOption && !options.some(({ id }) => id === customOption.id) ? [...matches, customOption] : matches
}

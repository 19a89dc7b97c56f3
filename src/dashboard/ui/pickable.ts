import type { PickerOption } from './Picker'

/**
 * The options that hold every typed word, those whose label begins with the text first; order and groups else as given.
 * `free`, an option made of the text itself, comes last, unless an option is that already.
 */
export function pickable(options: readonly PickerOption[], text: string, free?: PickerOption): PickerOption[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean)
  const wanted = words.join(' ')
  const found = options.filter(({ label, group = '' }) => {
    const haystack = `${group} ${label}`.toLowerCase()
    return words.every((word) => haystack.includes(word))
  })
  const isBeginning = ({ label }: PickerOption) => label.toLowerCase().startsWith(wanted)
  const ranked = wanted === '' ? found : [...found.filter(isBeginning), ...found.filter((option) => !isBeginning(option))]
  return free && !options.some(({ id }) => id === free.id) ? [...ranked, free] : ranked
}

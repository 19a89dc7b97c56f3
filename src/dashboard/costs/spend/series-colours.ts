import { maxChartGroups } from './build-spend-chart'

/** The colours of groups, from 1 on. */
export type SeriesColours = ReadonlyMap<string, number>

/**
 * Colours for the groups of a chart, the largest first. A group keeps the colour that it had in a chart before, so that one who
 * looks closer at a day finds it again. `all` has the colours of groups that are not shown now, too; it is `known` while no
 * group is new.
 */
export function colourSeries(keys: readonly string[], known: SeriesColours): { shown: SeriesColours; all: SeriesColours } {
  const shown = new Map<string, number>()
  const taken = new Set<number>()
  const give = (key: string, colour: number) => {
    shown.set(key, colour)
    taken.add(colour)
  }
  // Where two had the same one, it stays with the one that had it first.
  for (const [key, colour] of known) if (keys.includes(key) && !taken.has(colour)) give(key, colour)
  const others = keys.filter((key) => !shown.has(key))
  const colours = Array.from({ length: maxChartGroups }, (_, index) => index + 1)
  // First those that no group had.
  const free = [...new Set([...colours.filter((colour) => ![...known.values()].includes(colour)), ...colours])].filter(
    (colour) => !taken.has(colour),
  )
  for (const [index, key] of others.entries()) give(key, free[index] ?? maxChartGroups)
  const added = others.filter((key) => !known.has(key))
  return {
    shown,
    all: added.length === 0 ? known : new Map([...known, ...added.map((key) => [key, shown.get(key) ?? 1] as const)]),
  }
}

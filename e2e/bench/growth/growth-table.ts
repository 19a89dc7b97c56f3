/** What was measured at one size of the store, by name: pages in milliseconds, and what they are compared with. */
export type SizeFigures = { calls: number; pages: Record<string, number>; others: Record<string, number> }

/** Pages cost at most so many times what they cost at a million calls. */
const maxGrowth = 2
const base = 1_000_000
/** Another order costs at most so many times the engine's scan of the columns that it needs. */
const maxScans = 1.5
const sortedAnew = 'by p50, sorted anew'
const scanOfOrder = 'floor: scan of ids and p50'

/** Prints a line for each kind of page, with its growth. Returns whether the targets were met. */
export function reportGrowth(sizes: readonly SizeFigures[]): boolean {
  const [first, last] = [sizes.find(({ calls }) => calls === base) ?? sizes[0], sizes.at(-1)]
  if (!first || !last) return true
  // In a small store most of the time is spent around the statements.
  const isSmall = last.calls <= base
  let areTargetsMet = true
  const table = [['calls', ...sizes.map(({ calls }) => calls.toLocaleString('en')), `to ${first.calls.toLocaleString('en')}`]]
  const add = (name: string, values: readonly number[], ratio: number | undefined, max: number | undefined, judged: number) => {
    const isMet = max === undefined || judged <= max
    areTargetsMet &&= isMet
    const verdict = max === undefined ? '' : `${isMet ? '✓' : '✗'} <= ${max}`
    table.push([name, ...values.map(format), ratio === undefined ? '' : `${format(ratio)}x`, verdict])
  }
  const addGrowing = (name: string, read: (size: SizeFigures) => number | undefined, max?: number) => {
    const values = sizes.map((size) => read(size) ?? Number.NaN)
    const growth = (read(last) ?? Number.NaN) / (read(first) ?? Number.NaN)
    add(name, values, growth, max, growth)
  }
  for (const name of Object.keys(last.pages)) {
    addGrowing(name, ({ pages }) => pages[name], isSmall || name === sortedAnew ? undefined : maxGrowth)
  }
  const scans = sizes.map(({ pages, others }) => (pages[sortedAnew] ?? Number.NaN) / (others[scanOfOrder] ?? Number.NaN))
  add(`${sortedAnew} / scan of both columns`, scans, undefined, isSmall ? undefined : maxScans, scans.at(-1) ?? Number.NaN)
  for (const name of Object.keys(last.others)) addGrowing(name, ({ others }) => others[name])
  printTable('Pages as the store grows, medians in ms', table)
  return areTargetsMet
}

function printTable(title: string, rows: readonly (readonly string[])[]): void {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  console.log(`\n${title}`)
  for (const row of rows) {
    const cells = row.map((cell, column) => (column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0)))
    console.log(`  ${cells.join('  ')}`.trimEnd())
  }
}

function format(value = Number.NaN): string {
  return value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(2)
}

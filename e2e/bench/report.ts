/** The middle value; the mean of the two middle ones where the count is even. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length >> 1
  const upper = sorted[middle] ?? Number.NaN
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2
}

export type Measurement = {
  name: string
  value: number
  unit: string
  /** What the design promises; absent where the figure is for information. */
  target?: { most?: number; least?: number }
}

/** Prints measurements as a table and answers whether every promise was kept. */
export function report(title: string, measurements: readonly Measurement[]): boolean {
  console.log(`\n${title}`)
  const width = Math.max(...measurements.map(({ name }) => name.length))
  let isKept = true
  for (const { name, value, unit, target } of measurements) {
    const isWithin = value <= (target?.most ?? Infinity) && value >= (target?.least ?? -Infinity)
    isKept &&= isWithin
    const bound = target?.most === undefined ? (target?.least === undefined ? '' : `>= ${target.least}`) : `<= ${target.most}`
    const verdict = bound === '' ? '' : isWithin ? `✓ ${bound}` : `✗ ${bound}`
    console.log(`  ${name.padEnd(width)}  ${formatValue(value).padStart(9)} ${unit.padEnd(6)} ${verdict}`.trimEnd())
  }
  return isKept
}

function formatValue(value: number): string {
  return value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(2)
}

/** Medians of `runs` of each task, interleaved so that a slow spell of a shared machine falls on all alike. */
export async function interleavedMedians<Name extends string>(
  tasks: Readonly<Record<Name, () => Promise<unknown>>>,
  runs: number,
): Promise<Record<Name, number>> {
  const names = Object.keys(tasks) as Name[] // Object.keys widens the key type it was given
  const times = new Map<Name, number[]>(names.map((name) => [name, []]))
  for (let run = -1; run < runs; run += 1) {
    for (const name of names) {
      const startedAt = performance.now()
      await tasks[name]()
      // The first round warms caches and is not counted.
      if (run >= 0) times.get(name)?.push(performance.now() - startedAt)
    }
  }
  return Object.fromEntries(names.map((name) => [name, median(times.get(name) ?? [])])) as Record<Name, number> // fromEntries forgets the keys
}

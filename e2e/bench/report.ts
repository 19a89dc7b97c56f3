/** The middle value, or the mean of the two middle values of an even number of them. */
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
  /** The bound that the figure must keep; absent where it is for information. */
  target?: { max?: number; min?: number }
}

/** Prints measurements as a table. Returns whether every target was met. */
export function report(title: string, measurements: readonly Measurement[]): boolean {
  console.log(`\n${title}`)
  const width = Math.max(...measurements.map(({ name }) => name.length))
  let areTargetsMet = true
  for (const { name, value, unit, target } of measurements) {
    const isWithin = value <= (target?.max ?? Infinity) && value >= (target?.min ?? -Infinity)
    areTargetsMet &&= isWithin
    const bound = target?.max === undefined ? (target?.min === undefined ? '' : `>= ${target.min}`) : `<= ${target.max}`
    const verdict = bound === '' ? '' : isWithin ? `✓ ${bound}` : `✗ ${bound}`
    console.log(`  ${name.padEnd(width)}  ${formatValue(value).padStart(9)} ${unit.padEnd(6)} ${verdict}`.trimEnd())
  }
  return areTargetsMet
}

function formatValue(value: number): string {
  return value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(2)
}

/** Medians over `runs` of each task, in ms. Tasks take turns, so that a slow moment of a shared machine slows all of them. */
export async function measureInterleaved<Name extends string>(
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

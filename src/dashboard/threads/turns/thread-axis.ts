/** A turn on the axis, milliseconds since 1970. The end of a turn that runs is null. */
export type AxisTurn = { startMs: number; endMs: number | null }

export type Fold = { fromMs: number; toMs: number }

/** The time of a thread from the first start to the last end, with its long pauses folded. */
export type ThreadAxis = {
  startMs: number
  endMs: number
  /** Pauses that are drawn shorter than they were. */
  folds: readonly Fold[]
  /** From 0, the start, to 1, the end. */
  toPosition: (ms: number) => number
}

/**
 * One scale for all turns. Pauses get no more room than the turns: each is drawn as it was up to the mean share that leaves
 * half of the axis to the turns, and the rest of it is folded away. Undefined without a turn. `turns` are sorted by start.
 */
export function buildThreadAxis(turns: readonly AxisTurn[]): ThreadAxis | undefined {
  const busy = mergeBusy(turns)
  const [first] = busy
  const last = busy.at(-1)
  if (!first || !last) return undefined
  const busyMs = busy.reduce((sum, { fromMs, toMs }) => sum + toMs - fromMs, 0)
  // Turns without a length are marks on an axis of pauses, which then are all equal.
  const maxPauseMs = (busyMs || 1) / Math.max(1, busy.length - 1)
  const folds: Fold[] = []
  const times = [first.fromMs]
  const lengths = [0]
  let length = 0
  for (const [index, { fromMs, toMs }] of busy.entries()) {
    const previous = busy[index - 1]
    if (previous) {
      const pauseMs = fromMs - previous.toMs
      if (pauseMs > maxPauseMs) folds.push({ fromMs: previous.toMs, toMs: fromMs })
      length += Math.min(pauseMs, maxPauseMs)
      times.push(fromMs)
      lengths.push(length)
    }
    length += toMs - fromMs
    times.push(toMs)
    lengths.push(length)
  }
  const toPosition = (ms: number) => (length === 0 ? 0 : interpolate(times, lengths, ms) / length)
  return { startMs: first.fromMs, endMs: last.toMs, folds, toPosition }
}

/** The times in which a turn ran, without overlaps. A turn that still runs is known to have run at its start. */
function mergeBusy(turns: readonly AxisTurn[]): Fold[] {
  const busy: Fold[] = []
  for (const { startMs, endMs } of turns) {
    const toMs = Math.max(startMs, endMs ?? startMs)
    const last = busy.at(-1)
    if (last && startMs <= last.toMs) last.toMs = Math.max(last.toMs, toMs)
    else busy.push({ fromMs: startMs, toMs })
  }
  return busy
}

/** The value at `x` on the line through the points; `xs` are sorted. Beyond the ends: the value there. */
function interpolate(xs: readonly number[], ys: readonly number[], x: number): number {
  let [low, high] = [0, xs.length - 1]
  while (high - low > 1) {
    const middle = (low + high) >> 1
    if ((xs[middle] ?? 0) <= x) low = middle
    else high = middle
  }
  const [fromX = 0, toX = 0] = [xs[low], xs[high]]
  const [fromY = 0, toY = 0] = [ys[low], ys[high]]
  if (x >= toX) return toY
  return x <= fromX ? fromY : fromY + ((toY - fromY) * (x - fromX)) / (toX - fromX)
}

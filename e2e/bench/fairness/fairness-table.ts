import type { Latencies } from './bystander-messages'
import type { Effect } from './fairness'

const maxExtraMs = 1000
const maxLagMs = 25

const columns = [
  ['', 2],
  ['attack', 68],
  ['other user: read p50 p95 max', 28],
  ['write p50 p95 max', 20],
  ['failed', 6],
  ['same user: read, write max', 26],
  ['failed', 6],
  ['lag p99 max', 12],
  ['peak MB', 7],
  ['calm after', 10],
  ['replies', 0],
] as const

export function formatHeader(): string {
  return formatColumns(columns.map(([title]) => title))
}

/** One attack as a line. Times are in ms, except the last. */
export function formatRow(effect: Effect, quiet: Effect): string {
  const { otherUser, otherProject, lag, calmMs, hasServiceEnded } = effect
  return formatColumns([
    isWithinTargets(effect, quiet) ? '✓' : '✗',
    effect.name,
    formatLatencies(otherUser.read),
    formatLatencies(otherUser.write),
    formatFailures(otherUser.read, otherUser.write),
    `${max(otherProject.read).toFixed(0)} ${max(otherProject.write).toFixed(0)}`,
    formatFailures(otherProject.read, otherProject.write),
    lag === null ? 'blocked' : `${lag.p99.toFixed(0)} ${lag.max.toFixed(0)}`,
    effect.peakMegabytes.toFixed(0),
    hasServiceEnded ? 'it ended' : calmMs === null ? 'never' : `${(calmMs / 1000).toFixed(1)} s`,
    [...effect.replies].map(([outcome, count]) => `${outcome} x${count}`).join(', '),
  ])
}

/** The other user's requests all succeed and take at most a second more, and the event loop is free. */
export function isWithinTargets({ otherUser, lag, hasServiceEnded }: Effect, quiet: Effect): boolean {
  const isAsFast = (kind: 'read' | 'write') => max(otherUser[kind]) <= max(quiet.otherUser[kind]) + maxExtraMs
  const hasFailures = [otherUser.read, otherUser.write].some(({ failures }) => Object.keys(failures).length > 0)
  return isAsFast('read') && isAsFast('write') && !hasFailures && lag !== null && lag.p99 < maxLagMs && !hasServiceEnded
}

function formatLatencies({ ms }: Latencies): string {
  const sorted = ms.toSorted((left, right) => left - right)
  const percentile = (share: number) => sorted[Math.floor((sorted.length - 1) * share)] ?? Number.NaN
  return [0.5, 0.95, 1].map((share) => percentile(share).toFixed(0)).join(' ')
}

function formatFailures(...all: readonly Latencies[]): string {
  const counts = all.flatMap(({ failures }) => Object.values(failures))
  return String(counts.reduce((sum, count) => sum + count, 0))
}

function max({ ms }: Latencies): number {
  return Math.max(0, ...ms)
}

function formatColumns(cells: readonly string[]): string {
  return cells
    .map((cell, index) => cell.padEnd(columns[index]?.[1] ?? 0))
    .join(' ')
    .trimEnd()
}

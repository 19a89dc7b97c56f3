import { formatCount } from '../../format/count'

type Counts = {
  /** Answers that were read. */
  read: number
  /** Answers that the service counted before; 0 where it counts none. */
  expected: number
}

/** `5,000 of 50,000 answers`. */
export function describeRead({ read, expected }: Counts): string {
  return expected > read ? `${count(read)} of ${count(expected)} answers` : `${count(read)} answers`
}

/** What is missing of an export; undefined where nothing is known to be. */
export function describeMissing({ read, expected }: Counts): string | undefined {
  return expected > read ? `${count(expected - read)} are missing` : undefined
}

function count(number: number): string {
  return formatCount(String(number))
}

import type { Queue } from '../../../contract/queues'

/** How a queue is reviewed: by how many people an item, and by whom; [] is everybody. */
export type ReviewSettings = Pick<Queue, 'reviews_per_item' | 'assignees'>

export const usualSettings: ReviewSettings = { reviews_per_item: 1, assignees: [] }

export function isUsual({ reviews_per_item: count, assignees }: ReviewSettings): boolean {
  return count === 1 && assignees.length === 0
}

/**
 * The names in a text, with commas, semicolons or lines between them.
 *
 * @example parseNames('ann, bob') // ['ann', 'bob']
 */
export function parseNames(text: string): string[] {
  return text
    .split(/[,;\n]/)
    .map((name) => name.trim())
    .filter((name) => name !== '')
}

/** These names with others added, each once. */
export function addNames(names: readonly string[], added: readonly string[]): string[] {
  return [...new Set([...names, ...added])]
}

/** The page of a queue. */
export function toQueueHref(id: string): string {
  return `/queues/${encodeURIComponent(id)}`
}

/** Where its items are judged. */
export function toReviewHref(id: string): string {
  return `${toQueueHref(id)}/review`
}

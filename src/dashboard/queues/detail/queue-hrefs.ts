/** The page of a queue. */
export function toQueueHref(id: string): string {
  return `/queues/${encodeURIComponent(id)}`
}

/** Where it gets the questions that reviewers answer. */
export function toScorersHref(id: string): string {
  return `${toQueueHref(id)}?view=scorers`
}

/** Where its items are judged. */
export function toReviewHref(id: string): string {
  return `${toQueueHref(id)}/review`
}

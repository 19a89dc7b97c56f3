/** Whose work something is. The service is shared out between users first, then between the projects of each user. */
export type Share = {
  readonly user: string
  /** '' where a request names no project. */
  readonly projectId: string
}

/** What the service does by itself: start, derivation, price catalog. No user has an empty name. */
export const serviceShare: Share = { user: '', projectId: '' }

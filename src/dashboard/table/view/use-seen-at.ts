import { useState } from 'react'

/** When the last answer came, also while another one is on its way (react-query then says 0). At first: when this was opened. */
export function useLastUpdatedAt(updatedAt: number): number {
  const [seenAt, setSeenAt] = useState(() => Date.now())
  if (updatedAt > seenAt) setSeenAt(updatedAt)
  return Math.max(seenAt, updatedAt)
}

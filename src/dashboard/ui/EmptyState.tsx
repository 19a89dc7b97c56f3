import type { ReactNode } from 'react'

/** Replaces an empty list: one sentence and one action. */
export function EmptyState({ children, action }: { children: ReactNode; action?: ReactNode }) {
  return (
    <div className="flex flex-col items-center gap-3 px-4 py-12 text-center text-quiet">
      <p className="max-w-110">{children}</p>
      {action}
    </div>
  )
}

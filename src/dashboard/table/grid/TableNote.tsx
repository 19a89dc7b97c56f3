import type { ReactNode } from 'react'
import { Icon } from '../../ui/Icon'

/** A remark on the rows, below the table: where it comes and goes, no row moves under the pointer. */
export function TableNote({ tone = 'info', children }: { tone?: 'info' | 'warning'; children: ReactNode }) {
  return (
    <p className={`flex items-start gap-2 border-t border-line px-4 py-1.5 ${tone === 'info' ? 'text-quiet' : 'text-warn'}`}>
      <Icon name={tone} className="mt-0.5" />
      <span className="min-w-0">{children}</span>
    </p>
  )
}

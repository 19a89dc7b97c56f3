import type { ReactNode } from 'react'

type Props = { label: ReactNode; children: ReactNode; aside?: ReactNode; isMain?: boolean }

/** One of the figures above the chart, part of a `dl`. */
export function Figure({ label, children, aside, isMain = false }: Props) {
  return (
    <div>
      <dt className="truncate text-xs text-quiet">{label}</dt>
      <dd className={`break-words ${isMain ? 'text-lg font-semibold' : 'leading-6'}`}>{children}</dd>
      {/* The change against the window before comes late: it must not push the figures beside it. */}
      <dd className={`min-h-4 text-xs text-quiet ${isMain ? 'sm:min-w-54' : ''}`}>{aside}</dd>
    </div>
  )
}

import type { CSSProperties } from 'react'

type Props = {
  p50: number | null
  p99: number
  /** The duration of a full bar, the same for all rows; 0 draws none. */
  scaleMs: number
}

/** The p99 as a bar from zero, with the p50 as a tick on it. The figures stand beside it, so readers do not need it. */
export function PercentileBar({ p50, p99, scaleMs }: Props) {
  if (scaleMs === 0) return null
  // React's type has no custom properties.
  const shares = {
    '--p99': Math.min(1, p99 / scaleMs),
    ...(p50 !== null && p50 <= scaleMs && { '--p50': p50 / scaleMs }),
  } as CSSProperties
  return <span aria-hidden="true" className={`percentile-track ${p99 > scaleMs ? 'is-cut' : ''}`} style={shares} />
}

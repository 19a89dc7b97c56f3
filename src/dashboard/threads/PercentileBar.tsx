type Props = {
  p50: number | null
  p99: number
  /** The duration of a full bar, the same for all rows; 0 draws none. */
  scaleMs: number
}

/** The p99 as a bar from zero, with the p50 as a tick on it. The figures stand beside it, so readers do not need it. */
export function PercentileBar({ p50, p99, scaleMs }: Props) {
  if (scaleMs === 0) return null
  const toShare = (milliseconds: number) => `${Math.min(100, (milliseconds / scaleMs) * 100)}%`
  return (
    <span aria-hidden="true" className="percentile-track">
      <span className={`percentile-bar ${p99 > scaleMs ? 'is-cut' : ''}`} style={{ width: toShare(p99) }} />
      {p50 !== null && p50 <= scaleMs && <span className="percentile-tick" style={{ left: toShare(p50) }} />}
    </span>
  )
}

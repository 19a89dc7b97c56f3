const width = 52
const height = 20

/** A small line: how the figure of a row went from interval to interval. */
export function Trend({ values }: { values: readonly number[] }) {
  const max = Math.max(...values)
  if (max <= 0 || values.length < 2) return <span className="text-faint">—</span>
  const toX = (index: number) => ((index / (values.length - 1)) * (width - 2) + 1).toFixed(1)
  const toY = (value: number) => (height - 1.5 - (value / max) * (height - 3)).toFixed(1)
  const points = values.map((value, index) => `${toX(index)},${toY(value)}`).join(' ')
  return (
    <svg
      viewBox={`0 0 ${width} ${height}`}
      width={width}
      height={height}
      role="img"
      aria-label={describe(values)}
      className="block"
    >
      <polyline
        points={points}
        fill="none"
        stroke="currentColor"
        strokeWidth="1.25"
        strokeLinejoin="round"
        className="text-quiet"
      />
    </svg>
  )
}

/** What the line says: whether the second half is more than the first. */
export function describe(values: readonly number[]): string {
  const half = Math.floor(values.length / 2)
  const sum = (part: readonly number[]) => part.reduce((left, right) => left + right, 0)
  const before = sum(values.slice(0, half))
  const after = sum(values.slice(values.length - half))
  if (before === 0) return after === 0 ? 'flat' : 'new in the second half'
  const change = Math.round((after / before - 1) * 100)
  if (Math.abs(change) < 1) return 'flat'
  return `${change > 0 ? 'up' : 'down'} ${Math.abs(change)} % in the second half`
}

/** A point: places on both axes, 0 to 1; null where the line has a gap. */
export type PlotPoint = { x: number; y: number } | null

type Props = { className: string; points: readonly PlotPoint[]; isStepped?: boolean; hasPoints?: boolean }

/** A line in the colour of the series `className`. */
export function PlotLine({ className, points, isStepped = false, hasPoints = false }: Props) {
  return (
    <g className={className}>
      <svg width="100%" height="100%" viewBox="0 0 1000 1000" preserveAspectRatio="none" overflow="visible">
        <path
          d={toPath(points, isStepped)}
          fill="none"
          stroke="var(--series)"
          strokeWidth="2"
          strokeLinejoin="round"
          vectorEffect="non-scaling-stroke"
        />
      </svg>
      {hasPoints &&
        points.map(
          (point) =>
            point && (
              <circle key={point.x} cx={`${point.x * 100}%`} cy={`${(1 - point.y) * 100}%`} r="2.5" fill="var(--series)" />
            ),
        )}
    </g>
  )
}

function toPath(points: readonly PlotPoint[], isStepped: boolean): string {
  let isOpen = false
  const parts = points.map((point) => {
    if (!point) {
      isOpen = false
      return ''
    }
    const [x, y] = [(point.x * 1000).toFixed(1), ((1 - point.y) * 1000).toFixed(1)]
    const part = !isOpen ? `M${x} ${y}` : isStepped ? `H${x}V${y}` : `L${x} ${y}`
    isOpen = true
    return part
  })
  return parts.join('')
}

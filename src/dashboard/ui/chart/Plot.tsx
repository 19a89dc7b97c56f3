import type { CSSProperties, ReactNode, Ref } from 'react'

/** A place on an axis: 0 is its start, 1 its end. */
export type Tick = { at: number; label: string }

/** A place on the x axis that is marked by a vertical line. Without a side, its label stands where there is more room. */
export type Mark = Tick & { side?: 'left' | 'right' }

export type PlotAxes = {
  xTicks: readonly Tick[]
  yTicks: readonly Tick[]
  marks?: readonly Mark[] | undefined
  /** A level that is marked by a horizontal line. */
  level?: Tick | undefined
}

type Props = PlotAxes & {
  /** What is drawn: SVG, with places in percent. */
  children: ReactNode
  /** What stands over it: HTML. */
  overlay?: ReactNode
  areaRef?: Ref<HTMLDivElement>
}

/** `12.34%`: lengths in percent need no measuring, and nothing is drawn again when the size or the theme changes. */
export function percent(share: number): string {
  return `${(share * 100).toFixed(2)}%`
}

const noMarks: readonly Mark[] = []

/** The axes of a chart, and the area between them. */
export function Plot({ xTicks, yTicks, marks = noMarks, level, children, overlay, areaRef }: Props) {
  // React's type has no custom properties. A digit has 7 px.
  const style = {
    '--axis-width': `${Math.max(36, ...yTicks.map(({ label }) => label.length * 7 + 10))}px`,
  } as CSSProperties
  return (
    <div className="plot" style={style} aria-hidden="true">
      <div ref={areaRef} className="plot-area">
        <svg width="100%" height="100%">
          {yTicks.map(({ at }) => (
            <line key={at} x1="0" x2="100%" y1={percent(1 - at)} y2={percent(1 - at)} stroke="var(--line)" />
          ))}
          {children}
          <g stroke="var(--text)" strokeDasharray="4 4">
            {marks.map(({ at, label }) => (
              <line key={label} x1={percent(at)} x2={percent(at)} y1="0" y2="100%" />
            ))}
            {level && <line x1="0" x2="100%" y1={percent(1 - level.at)} y2={percent(1 - level.at)} />}
          </g>
        </svg>
        {marks.map(({ at, label, side }, index) => (
          <span
            key={label}
            className="plot-mark"
            style={{
              // In a line of its own: labels on the same side of marks that are near each other would overlap.
              top: `${index}lh`,
              ...(isLabelOnLeft(at, side) ? { right: `calc(${percent(1 - at)} + 2px)` } : { left: `calc(${percent(at)} + 2px)` }),
            }}
          >
            {label}
          </span>
        ))}
        {level && (
          <span className="plot-mark" style={{ left: 4, top: `calc(${percent(1 - level.at)} + ${level.at > 0.8 ? 1 : -17}px)` }}>
            {level.label}
          </span>
        )}
        {overlay}
      </div>
      <div className="plot-rows">
        {yTicks.map(({ at, label }) => (
          <span key={at} style={{ bottom: percent(at) }}>
            {label}
          </span>
        ))}
      </div>
      <div className="plot-columns">
        {xTicks.map(({ at, label }) => (
          <span key={at} style={{ left: percent(at) }}>
            {label}
          </span>
        ))}
      </div>
    </div>
  )
}

/** Near the ends of the axis there is room on one side only. */
function isLabelOnLeft(at: number, side: Mark['side']): boolean {
  if (side === 'left') return at > 0.15
  return at > (side === 'right' ? 0.85 : 0.5)
}

import type uPlot from 'uplot'

/** A place on the x axis that is marked by a vertical line. */
export type Mark = {
  x: number
  label: string
  /** Where the label stands; by default on the side that has more room. */
  side?: 'left'
}

/** A dashed vertical line with its label beside it. */
export function drawMark(plot: uPlot, { x, label, side }: Mark, style: { font: string; color: string }): void {
  const { ctx, bbox } = plot
  const ratio = devicePixelRatio
  const left = Math.round(plot.valToPos(x, 'x', true))
  ctx.save()
  ctx.strokeStyle = style.color
  ctx.fillStyle = style.color
  ctx.lineWidth = ratio
  ctx.setLineDash([4 * ratio, 4 * ratio])
  ctx.beginPath()
  ctx.moveTo(left, bbox.top)
  ctx.lineTo(left, bbox.top + bbox.height)
  ctx.stroke()
  ctx.font = style.font.replace('12px', `${12 * ratio}px`)
  const hasRoom = ctx.measureText(label).width < left - bbox.left - 4 * ratio
  const isOnRight = side === 'left' ? hasRoom : left > bbox.left + bbox.width / 2
  ctx.textAlign = isOnRight ? 'right' : 'left'
  ctx.textBaseline = 'top'
  ctx.fillText(label, left + (isOnRight ? -4 : 4) * ratio, bbox.top)
  ctx.restore()
}

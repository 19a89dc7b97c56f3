import type uPlot from 'uplot'

/** Draws a plot again when its host's size, the theme or the forced colours change. The returned function ends that. */
export function watchPlot(plot: uPlot, host: HTMLElement): () => void {
  const redraw = () => plot.redraw()
  const resize = new ResizeObserver(() => {
    if (host.clientWidth > 0) plot.setSize({ width: host.clientWidth, height: host.clientHeight })
  })
  resize.observe(host)
  const theme = new MutationObserver(redraw)
  theme.observe(document.documentElement, { attributeFilter: ['data-theme'] })
  const forced = matchMedia('(forced-colors: active)')
  forced.addEventListener('change', redraw)
  return () => {
    resize.disconnect()
    theme.disconnect()
    forced.removeEventListener('change', redraw)
    plot.destroy()
  }
}

/** The colours of a plot, read when it is drawn: a canvas does not follow CSS. */
export function readColors(host: HTMLElement) {
  const read = (element: Element, name: string) => getComputedStyle(element).getPropertyValue(name).trim()
  const marks = [...(host.closest('.relative')?.querySelectorAll('[data-series]') ?? [])]
  return {
    font: `12px ${getComputedStyle(host).fontFamily}`,
    /** A custom property of the theme. */
    color: (name: '--surface' | '--quiet' | '--line' | '--text') => read(host, name),
    /** The colour of the series whose `data-series` element stands at this place beside the host. */
    series: (index: number) => {
      const mark = marks[index]
      return mark ? read(mark, '--series') : ''
    },
  }
}

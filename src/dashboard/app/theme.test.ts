import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const css = readFileSync(new URL('theme.css', import.meta.url), 'utf8')

/** The relative luminance of each colour of a theme (WCAG 2.2), from OKLCH (https://bottosson.github.io/posts/oklab). */
function readLuminances(selector: string): Map<string, number> {
  const block = css.slice(css.indexOf(selector)).split('}')[0] ?? ''
  const colors = block.matchAll(/--([\w-]+): oklch\(([\d.]+) ([\d.]+) ([\d.]+)\)/g)
  return new Map(
    [...colors].map(([, name = '', lightness, chroma, hue]) => [
      name,
      toLuminance(Number(lightness), Number(chroma), Number(hue)),
    ]),
  )
}

function toLuminance(lightness: number, chroma: number, hue: number): number {
  const a = chroma * Math.cos((hue * Math.PI) / 180)
  const b = chroma * Math.sin((hue * Math.PI) / 180)
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3
  const red = 4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s
  const green = -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s
  const blue = -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s
  const clamp = (value: number) => Math.max(0, Math.min(1, value))
  return 0.2126 * clamp(red) + 0.7152 * clamp(green) + 0.0722 * clamp(blue)
}

test.each([
  ['light', ':root {'],
  ['dark', "[data-theme='dark'] {"],
])('in the %s theme text and marks stand out from every row', (_, selector) => {
  const luminances = readLuminances(selector)
  const contrast = (one: string, other: string) => {
    const [low = NaN, high = NaN] = [luminances.get(one) ?? NaN, luminances.get(other) ?? NaN].toSorted((x, y) => x - y)
    return (high + 0.05) / (low + 0.05)
  }
  for (const row of ['surface', 'hover', 'selected']) {
    for (const text of ['text', 'quiet', 'faint', 'good', 'warn', 'bad']) {
      expect(contrast(text, row), `${text} on ${row}`).toBeGreaterThanOrEqual(4.5)
    }
    for (const mark of ['mark-p50', 'mark-p99', 'accent', 'line-strong']) {
      expect(contrast(mark, row), `${mark} on ${row}`).toBeGreaterThanOrEqual(3)
    }
  }
  expect(contrast('mark-p50', 'mark-p99')).toBeGreaterThanOrEqual(3)
})

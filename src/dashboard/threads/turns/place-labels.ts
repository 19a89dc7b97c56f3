/** Names around a middle. */
export type Label = { x: number; names: readonly string[] }

/** The room of a name and a space. */
const namePx = 28

/** Labels that would touch or lie beyond the ends of the axis are moved together, in the order of what they name. */
export function placeLabels(labels: readonly Label[], width: number): Label[] {
  const placed: Label[] = []
  for (const label of labels.toSorted((left, right) => left.x - right.x)) {
    let { x, names } = moveInside(label, width)
    for (let last = placed.at(-1); last && x - last.x < toHalf(names) + toHalf(last.names); last = placed.at(-1)) {
      placed.pop()
      const isSame = last.names.at(-1) === names[0]
      const all = [...last.names, ...names.slice(isSame ? 1 : 0)]
      ;({ x, names } = moveInside({ x: (last.x + x) / 2, names: all }, width))
    }
    placed.push({ x, names })
  }
  return placed
}

function moveInside({ x, names }: Label, width: number): Label {
  return { x: Math.max(toHalf(names), Math.min(width - toHalf(names), x)), names }
}

function toHalf(names: readonly string[]): number {
  return (names.length * namePx) / 2
}

/**
 * The style of a figure in a column where all points are below each other: as much space behind it as the longest tail takes more.
 * A tail is what follows from the point on, in characters. Digits are equally wide, the point is narrower.
 */
export function alignAtPoint({ text, pointIndex }: { text: string; pointIndex: number }, tailLength: number) {
  const tail = text.length - pointIndex
  return { paddingRight: `${Math.max(0, tailLength - (tail > 0 ? tail : 0.4))}ch` }
}

import { stringListParam } from '../table/view/url-params'

const list = stringListParam()

/** Values with commas between them, as text for a field: a comma within a value has a backslash before it. */
export function formatValues(values: readonly string[]): string {
  return values.map((value) => list.format([value])).join(', ')
}

/** The values of a field. Spaces around a value are not part of it. */
export function parseValues(text: string): string[] {
  return (list.parse(text) ?? []).map((each) => each.trim()).filter((each) => each !== '')
}

/** The finished values, and the one that is being typed. */
export function splitLast(text: string): { values: string[]; last: string } {
  const all = (list.parse(text) ?? []).map((each) => each.trim())
  return { values: all.slice(0, -1).filter((each) => each !== ''), last: all.at(-1) ?? '' }
}

export function addToList(values: readonly string[], added: string): string {
  return formatValues([...values, added])
}

import { isJsonObject } from '../../../contract/json-value'
import { parseJson } from '../../http/parse-json'
import { preparation } from '../../http/prepare/preparation'

/** Where a path into a value ends: at a value, as JSON; at another reference, with the rest of the path; or nowhere. */
export type PathEnd = { json: string } | { ref: string } | null

/** Follows paths into a stored value, which may be 30 MB of JSON. */
export const preparePaths = preparation('paths', (body, { paths }: { paths: readonly (readonly string[])[] }): PathEnd[] => {
  const value = parseJson(body, { name: 'value' })
  return paths.map((path) => followPath(value, path))
})

/** A path is edges and names in turn: `['attr', 'rows', 'index', '0']`. */
function followPath(start: unknown, path: readonly string[]): PathEnd {
  let value = start
  for (let index = 0; index < path.length; index += 2) {
    if (typeof value === 'string') return { ref: [value, ...path.slice(index)].join('/') }
    value = followEdge(value, path[index] ?? '', path[index + 1] ?? '')
  }
  return value === undefined ? null : { json: JSON.stringify(value) }
}

function followEdge(value: unknown, edge: string, name: string): unknown {
  if (edge === 'index') return Array.isArray(value) && /^\d{1,9}$/.test(name) ? (value[Number(name)] as unknown) : undefined
  if (edge !== 'attr' && edge !== 'key') return undefined
  if (!isJsonObject(value)) return undefined
  const key = Object.hasOwn(value, name) ? name : decodeName(name)
  return Object.hasOwn(value, key) ? value[key] : undefined
}

function decodeName(name: string): string {
  try {
    return decodeURIComponent(name)
  } catch {
    return name // not percent-encoded: the name itself
  }
}

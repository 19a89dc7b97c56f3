/** The target of a reference, and the path into it: edges and names in turn (`['attr', 'rows', 'index', '0']`). */
export type Ref =
  | { kind: 'object' | 'op'; projectId: string; objectId: string; version: string; path: readonly string[] }
  | { kind: 'row'; projectId: string; digest: string; path: readonly string[] }

const refPattern = /^weave:\/\/\/([^/]+\/[^/]+)\/(object|op|table)\/(.+)$/s

/**
 * Parses `weave:///<entity>/<project>/object/<name>:<version>` (or `op`) with a path, and
 * `weave:///<entity>/<project>/table/<digest>/id/<row digest>`. A row is found by its own digest, so that of the table is
 * ignored. Undefined for any other text.
 */
export function parseRef(text: string): Ref | undefined {
  const [, projectId, kind, rest] = refPattern.exec(text) ?? []
  if (projectId === undefined || rest === undefined) return undefined
  const [head = '', ...path] = rest.split('/')
  if (kind === 'table') {
    const [edge, digest, ...rowPath] = path
    return edge === 'id' && digest !== undefined ? { kind: 'row', projectId, digest, path: rowPath } : undefined
  }
  const colon = head.lastIndexOf(':')
  if (colon <= 0) return undefined
  const target = { projectId, objectId: head.slice(0, colon), version: head.slice(colon + 1), path }
  return { kind: kind === 'op' ? 'op' : 'object', ...target }
}

/**
 * What the object of a reference may be called: the name as it stands there, and decoded. A scorer reference encodes what is not
 * ASCII, and Weave's clients leave it encoded when they ask for the object.
 */
export function listObjectIds(name: string): string[] {
  try {
    return [...new Set([name, decodeURIComponent(name)])]
  } catch {
    return [name]
  }
}

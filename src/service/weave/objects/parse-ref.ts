/** What a reference points at, and the path from there on: edges and names in turn (`['attr', 'rows', 'index', '0']`). */
export type Ref =
  | { kind: 'object' | 'op'; projectId: string; objectId: string; version: string; path: readonly string[] }
  | { kind: 'row'; projectId: string; digest: string; path: readonly string[] }

const form = /^weave:\/\/\/([^/]+\/[^/]+)\/(object|op|table)\/(.+)$/s

/**
 * Reads `weave:///<entity>/<project>/object/<name>:<version>` (or `op`) with a path, and
 * `weave:///<entity>/<project>/table/<digest>/id/<row digest>`, whose row is known by its own digest. Undefined for any other text.
 */
export function parseRef(text: string): Ref | undefined {
  const [, projectId, kind, rest] = form.exec(text) ?? []
  if (projectId === undefined || rest === undefined) return undefined
  const [head = '', ...path] = rest.split('/')
  if (kind === 'table') {
    const [edge, digest, ...onward] = path
    return edge === 'id' && digest !== undefined ? { kind: 'row', projectId, digest, path: onward } : undefined
  }
  const colon = head.lastIndexOf(':')
  if (colon <= 0) return undefined
  const own = { projectId, objectId: head.slice(0, colon), version: head.slice(colon + 1), path }
  return { kind: kind === 'op' ? 'op' : 'object', ...own }
}

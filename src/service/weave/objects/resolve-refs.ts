import { isJsonObject } from '../../../contract/json-value'
import { requireResponseFits } from '../../http/response-size'
import type { JsonText } from '../../lib/json-text'
import type { QueryOptions, Store } from '../../store/store'
import { readRowValues } from '../tables/table-rows'
import { findVersion, listVersions, readValues, type VersionRow } from './object-versions'
import { parseRef, type Ref } from './parse-ref'

/** A value may be another reference. The limit ends circular ones. */
const maxSteps = 16
const sizeAdvice = 'Request fewer references at once.'

/** `next` is the reference still to follow; without it, `value` is the result. */
type Resolution = { next: Ref | undefined; value: unknown }

/**
 * The value of each reference, null where it leads to nothing, or to a project that `canRead` says no to. It is asked for
 * projects that a stored value leads to as well, and may throw.
 */
export async function resolveRefs(
  store: Store,
  refs: readonly string[],
  canRead: (projectId: string) => boolean,
  options: QueryOptions,
): Promise<unknown[]> {
  const byText = new Map(refs.map((text): [string, Resolution] => [text, { next: parseRef(text), value: null }]))
  for (let step = 0; step < maxSteps; step += 1) {
    const open = [...byText.values()].flatMap((resolution) => (resolution.next ? [{ resolution, ref: resolution.next }] : []))
    if (open.length === 0) break
    for (const projectId of new Set(open.map(({ ref }) => ref.projectId))) {
      const ofProject = open.filter(({ ref }) => ref.projectId === projectId)
      if (!canRead(projectId)) {
        for (const { resolution } of ofProject) resolution.next = undefined
        continue
      }
      const targets = ofProject.map(({ ref }) => ref)
      const readTarget = await loadTargets(store, projectId, targets, options)
      for (const { resolution, ref } of ofProject) Object.assign(resolution, followPath(readTarget(ref), ref.path))
    }
  }
  return refs.map((text) => {
    const resolution = byText.get(text)
    const isCircular = resolution?.next !== undefined
    return isCircular ? null : (resolution?.value ?? null)
  })
}

async function loadTargets(store: Store, projectId: string, refs: readonly Ref[], options: QueryOptions) {
  const rowDigests = refs.flatMap((ref) => (ref.kind === 'row' ? [ref.digest] : []))
  const rows = rowDigests.length > 0 ? await readRowValues(store, projectId, rowDigests, options) : new Map<string, JsonText>()
  const objectIds = [...new Set(refs.flatMap((ref) => (ref.kind === 'row' ? [] : [ref.objectId])))]
  const versions =
    objectIds.length > 0 ? await listVersions(store, { project_id: projectId, filter: { object_ids: objectIds } }, options) : []
  const versionByRef = new Map(refs.map((ref) => [ref, findTargetVersion(versions, ref)]))
  const targets = [...versionByRef.values()].filter((version) => version !== undefined)
  requireResponseFits({ rows: targets.length, bytes: targets.reduce((sum, { size_bytes: bytes }) => sum + bytes, 0) }, sizeAdvice)
  const readValue = await readValues(store, projectId, targets, options)
  return (ref: Ref): JsonText | undefined => {
    if (ref.kind === 'row') return rows.get(ref.digest)
    const version = versionByRef.get(ref)
    return version && readValue(version)
  }
}

function findTargetVersion(versions: readonly VersionRow[], ref: Ref): VersionRow | undefined {
  if (ref.kind === 'row') return undefined
  const ofObject = versions.filter((version) => version.object_id === ref.objectId)
  const ofKind = ofObject.filter((version) => version.kind === ref.kind)
  // Some clients refer to ops as objects.
  return findVersion(ofKind, ref.version) ?? findVersion(ofObject, ref.version)
}

/** Follows a path into a value, to its end or to the next reference. */
function followPath(start: JsonText | undefined, path: readonly string[]): Resolution {
  if (path.length === 0) return { next: undefined, value: start }
  let value = start?.parse()
  for (let index = 0; index < path.length; index += 2) {
    if (typeof value === 'string') {
      return { next: parseRef([value, ...path.slice(index)].join('/')), value: null }
    }
    value = followEdge(value, path[index] ?? '', path[index + 1] ?? '')
  }
  return { next: undefined, value }
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

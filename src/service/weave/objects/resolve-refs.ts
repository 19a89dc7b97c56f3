import { requireResponseFits } from '../../http/response-size'
import type { QueryOptions, Store } from '../../store/store'
import { readRowValues } from '../tables/table-rows'
import { findVersion, listVersions, readValues, type VersionRow } from './object-versions'
import { parseRef, type Ref } from './parse-ref'
import { isJsonObject } from '../../../contract/json-value'

/** A value may be a reference itself, and so on; a ring of them must end. */
const mostSteps = 16
const advice = 'Ask for fewer references at once.'

type Walk = { at: Ref | undefined; value: unknown }

/**
 * What each reference stands for, null for one that leads to nothing. `requireProject` refuses a project that is not the
 * user's, also where a stored value leads to it.
 */
export async function resolveRefs(
  store: Store,
  refs: readonly string[],
  requireProject: (projectId: string) => void,
  options: QueryOptions,
): Promise<unknown[]> {
  const walkByText = new Map(refs.map((text): [string, Walk] => [text, { at: parseRef(text), value: null }]))
  for (let step = 0; step < mostSteps; step += 1) {
    const open = [...walkByText.values()].flatMap((walk) => (walk.at ? [{ walk, ref: walk.at }] : []))
    if (open.length === 0) break
    for (const projectId of new Set(open.map(({ ref }) => ref.projectId))) {
      requireProject(projectId)
      const own = open.filter(({ ref }) => ref.projectId === projectId)
      const valueOf = await readTargets(
        store,
        projectId,
        own.map(({ ref }) => ref),
        options,
      )
      for (const { walk, ref } of own) Object.assign(walk, walked(valueOf(ref), ref.path))
    }
  }
  // What is still open then goes in a ring.
  return refs.map((text) => {
    const walk = walkByText.get(text)
    return walk && !walk.at ? (walk.value ?? null) : null
  })
}

async function readTargets(store: Store, projectId: string, refs: readonly Ref[], options: QueryOptions) {
  const rowDigests = refs.flatMap((ref) => (ref.kind === 'row' ? [ref.digest] : []))
  const rows = rowDigests.length > 0 ? await readRowValues(store, projectId, rowDigests, options) : new Map<string, unknown>()
  const objectIds = [...new Set(refs.flatMap((ref) => (ref.kind === 'row' ? [] : [ref.objectId])))]
  const versions =
    objectIds.length > 0 ? await listVersions(store, { project_id: projectId, filter: { object_ids: objectIds } }, options) : []
  const versionByRef = new Map(refs.map((ref) => [ref, versionOfRef(versions, ref)]))
  const wanted = [...versionByRef.values()].filter((version) => version !== undefined)
  requireResponseFits({ rows: wanted.length, bytes: wanted.reduce((sum, version) => sum + version.size_bytes, 0) }, advice)
  const valueOf = await readValues(store, projectId, wanted, options)
  return (ref: Ref): unknown => {
    if (ref.kind === 'row') return rows.get(ref.digest)
    const version = versionByRef.get(ref)
    return version && valueOf(version)
  }
}

function versionOfRef(versions: readonly VersionRow[], ref: Ref): VersionRow | undefined {
  if (ref.kind === 'row') return undefined
  const named = versions.filter((version) => version.object_id === ref.objectId)
  // Some clients name ops as objects.
  return (
    findVersion(
      named.filter((version) => version.kind === ref.kind),
      ref.version,
    ) ?? findVersion(named, ref.version)
  )
}

/** Follows a path into a value, to its end or to the next reference. */
function walked(start: unknown, path: readonly string[]): Walk {
  let value = start
  for (let index = 0; index < path.length; index += 2) {
    if (typeof value === 'string') {
      const next = parseRef([value, ...path.slice(index)].join('/'))
      return { at: next, value: null }
    }
    value = stepInto(value, path[index] ?? '', path[index + 1] ?? '')
  }
  return { at: undefined, value }
}

function stepInto(value: unknown, edge: string, name: string): unknown {
  if (edge === 'index') return Array.isArray(value) && /^\d{1,9}$/.test(name) ? (value[Number(name)] as unknown) : undefined
  if (edge !== 'attr' && edge !== 'key') return undefined
  if (!isJsonObject(value)) return undefined
  const key = Object.hasOwn(value, name) ? name : decoded(name)
  return Object.hasOwn(value, key) ? value[key] : undefined
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

import { BodyParts } from '../../http/body-parts'
import { type Preparer, readResult } from '../../http/prepare/preparation'
import { requireResponseFits } from '../../http/response-size'
import { JsonText } from '../../lib/json-text'
import { TimeSlices } from '../../lib/time-slices'
import { serviceShare } from '../../lib/share'
import type { QueryOptions, Store } from '../../store/store'
import { readRowValues } from '../tables/table-rows'
import { findVersion, listVersions, readValues, type VersionRow } from './object-versions'
import { listObjectIds, parseRef, type Ref } from './parse-ref'
import { preparePaths } from './prepare-paths'

/** A value may be another reference. The limit ends circular ones. */
const maxSteps = 16
const sizeAdvice = 'Request fewer references at once.'

/** `next` is the reference still to follow; without it, `value` is the result. */
type Resolution = { next: Ref | undefined; value: JsonText | undefined }
type Open = { resolution: Resolution; ref: Ref }

/** `preparer` follows the paths into values. */
export type RefDeps = { store: Store; preparer: Preparer }

/**
 * The value of each reference, null where it leads to nothing, or to a project that `canRead` says no to. It is asked for
 * projects that a stored value leads to as well, and may throw.
 */
export async function resolveRefs(
  deps: RefDeps,
  refs: readonly string[],
  canRead: (projectId: string) => boolean,
  options: QueryOptions,
): Promise<(JsonText | null)[]> {
  const byText = new Map(refs.map((text): [string, Resolution] => [text, { next: parseRef(text), value: undefined }]))
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
      const readTarget = await loadTargets(deps.store, projectId, targets, options)
      await followPaths(deps.preparer, ofProject, readTarget, options)
    }
  }
  return refs.map((text) => {
    const resolution = byText.get(text)
    const isCircular = resolution?.next !== undefined
    return isCircular ? null : (resolution?.value ?? null)
  })
}

/** Each value is parsed once, for all paths into it, and a large one in another thread. */
async function followPaths(
  preparer: Preparer,
  open: readonly Open[],
  readTarget: (ref: Ref) => JsonText | undefined,
  { signal = new AbortController().signal, share = serviceShare }: QueryOptions,
): Promise<void> {
  const byTarget = new Map<JsonText, Open[]>()
  for (const each of open) {
    const target = readTarget(each.ref)
    if (!target || each.ref.path.length === 0) Object.assign(each.resolution, { next: undefined, value: target })
    else byTarget.set(target, [...(byTarget.get(target) ?? []), each])
  }
  const slices = new TimeSlices()
  for (const [target, ofTarget] of byTarget) {
    if (slices.isOver) await slices.next()
    const paths = ofTarget.map(({ ref }) => ref.path)
    const steps = preparer.prepare(
      preparePaths,
      BodyParts.of(Buffer.from(target.text)),
      { paths },
      { user: { username: share.user }, signal },
    )
    const ends = await readResult(steps)
    for (const [index, { resolution }] of ofTarget.entries()) {
      const end = ends[index]
      resolution.next = end && 'ref' in end ? parseRef(end.ref) : undefined
      resolution.value = end && 'json' in end ? new JsonText(end.json) : undefined
    }
  }
}

async function loadTargets(store: Store, projectId: string, refs: readonly Ref[], options: QueryOptions) {
  const rowDigests = refs.flatMap((ref) => (ref.kind === 'row' ? [ref.digest] : []))
  const rows = rowDigests.length > 0 ? await readRowValues(store, projectId, rowDigests, options) : new Map<string, JsonText>()
  const objectIds = [...new Set(refs.flatMap((ref) => (ref.kind === 'row' ? [] : listObjectIds(ref.objectId))))]
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
  for (const objectId of listObjectIds(ref.objectId)) {
    const ofObject = versions.filter((version) => version.object_id === objectId)
    const ofKind = ofObject.filter((version) => version.kind === ref.kind)
    // Some clients refer to ops as objects.
    const version = findVersion(ofKind, ref.version) ?? findVersion(ofObject, ref.version)
    if (version) return version
  }
  return undefined
}

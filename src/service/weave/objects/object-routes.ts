import type * as z from 'zod/mini'
import { isJsonObject, truncate } from '../../../contract/json-value'
import { maxClassNameLength } from '../../../contract/limits'
import { createObject, deleteObject, queryObjects, readObject, readRefs } from '../../../contract/objects'
import { formatLimit, isLongerThan } from '../../../contract/schema'
import { maxResponseRows, requireResponseFits } from '../../http/response-size'
import { canonicalJson, toDigest } from '../../lib/digest'
import { HttpError } from '../../http/http-error'
import { readerOfProject, type Route, route } from '../../http/route'
import type { Store } from '../../store/store'
import { type ObjectClasses, parseObjectClasses, parseObjectKind } from './object-classes'
import { findVersion, listVersions, readValues, toObjectVersion } from './object-versions'
import { resolveRefs } from './resolve-refs'
import { deleteVersions, storeVersion } from './store-version'

export type ObjectDeps = { store: Store; clock: () => number }

const sizeAdvice = "Set 'metadata_only', a filter, or a smaller 'limit' and page by 'offset'."

export function objectRoutes({ store, clock }: ObjectDeps): Route[] {
  return [
    route(createObject, async ({ obj }, context) => {
      context.requireProject(obj.project_id)
      const val = addClasses(obj)
      const classes = parseObjectClasses(val)
      requireClassLengths(classes)
      const digest = toDigest(canonicalJson(val))
      const version = {
        project_id: obj.project_id,
        object_id: obj.object_id,
        digest,
        kind: parseObjectKind(val),
        base_object_class: classes?.base ?? null,
        leaf_object_class: classes?.leaf ?? null,
        val: JSON.stringify(val),
        created_by: context.user.username,
      }
      await storeVersion(store, version, clock(), readerOfProject(context, obj.project_id))
      return { digest, object_id: obj.object_id }
    }),

    route(readObject, async ({ project_id, object_id, digest, metadata_only }, { reader }) => {
      const versions = await listVersions(store, { project_id, filter: { object_ids: [object_id] } }, reader)
      const version = findVersion(versions, digest) ?? throwUnknown(versions.length > 0, digest)
      if (metadata_only) return { obj: toObjectVersion(version, null) }
      const readValue = await readValues(store, project_id, [version], reader)
      return { obj: toObjectVersion(version, readValue(version)) }
    }),

    route(queryObjects, async (input, { reader }) => {
      const limit = Math.min(input.limit ?? Infinity, maxResponseRows + 1)
      const versions = await listVersions(store, { ...input, limit }, reader)
      const bytes = versions.reduce((sum, version) => sum + version.size_bytes, 0)
      requireResponseFits({ rows: versions.length, bytes: input.metadata_only ? 0 : bytes }, sizeAdvice)
      if (input.metadata_only) return { objs: versions.map((version) => toObjectVersion(version, null)) }
      const readValue = await readValues(store, input.project_id, versions, reader)
      return { objs: versions.map((version) => toObjectVersion(version, readValue(version))) }
    }),

    route(deleteObject, async ({ project_id, object_id, digests }, { reader }) => {
      const versions = await listVersions(store, { project_id, filter: { object_ids: [object_id] } }, reader)
      const named = digests?.map((digest) => findVersion(versions, digest) ?? throwUnknown(versions.length > 0, digest))
      const toDelete = new Set((named ?? versions).map(({ digest }) => digest))
      if (toDelete.size === 0) throwUnknown(false, '')
      await deleteVersions(store, project_id, object_id, [...toDelete], reader)
      return { num_deleted: toDelete.size }
    }),

    route(readRefs, async ({ refs }, { reader, requireProject }) => ({
      vals: await resolveRefs(store, refs, requireProject, reader),
    })),
  ]
}

function throwUnknown(isObjectKnown: boolean, digest: string): never {
  throw isObjectKnown
    ? new HttpError('not_found', {
        loc: ['body', 'digest'],
        msg: `The object has no version '${digest}'. Name one by its digest, as 'latest' or as 'v<N>' with N from 0.`,
        type: 'not_found',
      })
    : new HttpError('not_found', { loc: ['body', 'object_id'], msg: 'This project has no such object.', type: 'not_found' })
}

/** The names come from the value, whose content the request schema does not read. */
function requireClassLengths(classes: ObjectClasses | undefined): void {
  const isTooLong = classes && [classes.leaf, classes.base].some((name) => isLongerThan(name, maxClassNameLength))
  if (!isTooLong) return
  throw new HttpError('invalid', {
    loc: ['body', 'obj', 'val', '_class_name'],
    msg: `The names in '_class_name' and '_bases' are too long: at most ${formatLimit(maxClassNameLength)} characters.`,
    type: 'string_too_long',
  })
}

type SentObject = z.output<typeof createObject.request>['obj']

/** The value with the class that was named beside it, where it does not say its own. */
function addClasses({ val, builtin_object_class, set_base_object_class }: SentObject): unknown {
  const named = builtin_object_class ?? set_base_object_class
  if (named === undefined) return val
  const loc = ['body', 'obj', 'builtin_object_class']
  if (!isJsonObject(val)) {
    throw new HttpError('invalid', { loc, msg: 'Only a value that is an object has a class. Leave it out.', type: 'value_error' })
  }
  const own = parseObjectClasses(val)
  if (!own) return { ...val, _type: named, _class_name: named, _bases: ['BaseObject', 'BaseModel'] }
  if (own.leaf === named) return val
  const msg = `The value says itself that its class is '${truncate(own.leaf)}'. Name that one, or leave it out.`
  throw new HttpError('invalid', { loc, msg, type: 'value_error' })
}

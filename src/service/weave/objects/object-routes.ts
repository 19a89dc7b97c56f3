import { createObject, deleteObject, queryObjects, readObject, readRefs } from '../../../contract/objects'
import { maxResponseRows, requireResponseFits } from '../../http/response-size'
import { HttpError } from '../../http/http-error'
import { type Preparer, readResult } from '../../http/prepare/preparation'
import { largeBodyRoute, readerOfProject, type Route, route } from '../../http/route'
import type { Store } from '../../store/store'
import { findVersion, listVersions, readValues, toObjectVersion } from './object-versions'
import { listObjectIds } from './parse-ref'
import { prepareObject } from './prepare-object'
import { resolveRefs } from './resolve-refs'
import { deleteVersions, storeVersion } from './store-version'

export type ObjectDeps = { store: Store; clock: () => number; preparer: Preparer }

const sizeAdvice = "Set 'metadata_only', a filter, or a smaller 'limit' and page by 'offset'."

export function objectRoutes({ store, clock, preparer }: ObjectDeps): Route[] {
  return [
    largeBodyRoute(createObject, async ({ body }, context) => {
      const version = await readResult(preparer.prepare(prepareObject, body, { user: context.user }, context))
      await storeVersion(store, version, clock(), readerOfProject(context, version.projectId))
      const value = { digest: version.digest, object_id: version.objectId }
      return { kind: 'json', value, schema: createObject.response }
    }),

    route(
      readObject,
      async ({ project_id, object_id, digest, metadata_only }, { reader }) => {
        const object_ids = listObjectIds(object_id)
        const versions = await listVersions(store, { project_id, filter: { object_ids } }, reader)
        const named = object_ids.map((id) => versions.filter((each) => each.object_id === id)).find(({ length }) => length > 0)
        const version = findVersion(named ?? [], digest) ?? throwUnknown(versions.length > 0, digest)
        if (metadata_only) return { obj: toObjectVersion(version, null) }
        const readValue = await readValues(store, project_id, [version], reader)
        return { obj: toObjectVersion(version, readValue(version)) }
      },
      { readsCalls: false },
    ),

    route(
      queryObjects,
      async (input, { reader }) => {
        const limit = Math.min(input.limit ?? Infinity, maxResponseRows + 1)
        const versions = await listVersions(store, { ...input, limit }, reader)
        const bytes = versions.reduce((sum, version) => sum + version.size_bytes, 0)
        requireResponseFits({ rows: versions.length, bytes: input.metadata_only ? 0 : bytes }, sizeAdvice)
        if (input.metadata_only) return { objs: versions.map((version) => toObjectVersion(version, null)) }
        const readValue = await readValues(store, input.project_id, versions, reader)
        return { objs: versions.map((version) => toObjectVersion(version, readValue(version))) }
      },
      { readsCalls: false },
    ),

    route(
      deleteObject,
      async ({ project_id, object_id, digests }, { reader }) => {
        const versions = await listVersions(store, { project_id, filter: { object_ids: [object_id] } }, reader)
        const named = digests?.map((digest) => findVersion(versions, digest) ?? throwUnknown(versions.length > 0, digest))
        const toDelete = new Set((named ?? versions).map(({ digest }) => digest))
        if (toDelete.size === 0) throwUnknown(false, '')
        await deleteVersions(store, project_id, object_id, [...toDelete], reader)
        return { num_deleted: toDelete.size }
      },
      { readsCalls: false },
    ),

    route(readRefs, async ({ refs }, { reader, requireProject }) => ({
      vals: await resolveRefs({ store, preparer }, refs, (projectId) => (requireProject(projectId), true), reader),
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

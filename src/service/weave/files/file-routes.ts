import { FileCreated, fileContentPaths, fileCreatePaths, readFileContent } from '../../../contract/files'
import { HttpError } from '../../http/http-error'
import { parseInput } from '../../http/incoming-request'
import { type Preparer, readResult } from '../../http/prepare/preparation'
import { maxBodyBytes, maxQueryBodyBytes } from '../../http/read-body'
import { rawRoute, readerOfProject, type Route } from '../../http/route'
import type { Store } from '../../store/store'
import { readFile, storeFile } from './file-store'
import { prepareFile } from './prepare-file'

export function fileRoutes({ store, preparer }: { store: Store; preparer: Preparer }): Route[] {
  const create = (path: (typeof fileCreatePaths)[number]) =>
    rawRoute({ method: 'POST', path, mediaTypes: ['multipart/form-data'], maxBodyBytes }, async (incoming, context) => {
      const fileContext = { user: context.user, contentType: incoming.contentType }
      const file = await readResult(preparer.prepare(prepareFile, incoming.body, fileContext, context))
      const content = Buffer.from(file.body.buffer, file.body.byteOffset + file.start, file.end - file.start)
      await storeFile(store, file.projectId, file.digest, content, readerOfProject(context, file.projectId))
      return { kind: 'json', value: { digest: file.digest }, schema: FileCreated }
    })

  const read = (path: (typeof fileContentPaths)[number]) =>
    rawRoute(
      { method: 'POST', path, mediaTypes: ['application/json'], maxBodyBytes: maxQueryBodyBytes },
      async (incoming, context) => {
        const { project_id: projectId, digest } = parseInput(readFileContent, incoming)
        context.requireProject(projectId)
        const content = await readFile(store, projectId, digest, readerOfProject(context, projectId))
        // A user stored this content, so its type must never be one that a browser opens.
        if (content) return { kind: 'bytes', bytes: content, mediaType: 'application/octet-stream' }
        throw new HttpError('not_found', { loc: ['body', 'digest'], msg: 'This project has no such file.', type: 'not_found' })
      },
    )

  return [...fileCreatePaths.map(create), ...fileContentPaths.map(read)]
}

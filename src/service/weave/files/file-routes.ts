import { FileCreated, fileContentPaths, fileCreatePaths, readFileContent } from '../../../contract/files'
import { ProjectId } from '../../../contract/project-id'
import { toProblems } from '../../../contract/to-problems'
import { HttpError } from '../../http/http-error'
import { parseInput } from '../../http/incoming-request'
import { maxBodyBytes, maxQueryBodyBytes } from '../../http/read-body'
import { rawRoute, readerOfProject, type Route } from '../../http/route'
import { toDigest } from '../../lib/digest'
import type { Store } from '../../store/store'
import { readFile, storeFile } from './file-store'
import { type FormPart, parseMultipart } from './parse-multipart'

export function fileRoutes({ store }: { store: Store }): Route[] {
  const create = (path: (typeof fileCreatePaths)[number]) =>
    rawRoute(
      { method: 'POST', path, mediaTypes: ['multipart/form-data'], maxBodyBytes },
      async ({ contentType, body }, context) => {
        const { projectId, content } = parseFileForm(contentType, Buffer.from(body.buffer, body.byteOffset, body.byteLength))
        context.requireProject(projectId)
        const digest = toDigest(content)
        await storeFile(store, projectId, digest, content, readerOfProject(context, projectId))
        return { kind: 'json', value: { digest }, schema: FileCreated }
      },
    )

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

function parseFileForm(contentType: string, body: Buffer): { projectId: string; content: Buffer } {
  const parts = parseMultipart(contentType, body)
  if (typeof parts === 'string') throw new HttpError('invalid', { loc: ['body'], msg: parts, type: 'multipart_invalid' })
  const projectId = findSinglePart(parts, 'project_id')?.content.toString('utf8')
  const parsed = ProjectId.safeParse(projectId)
  const file = findSinglePart(parts, 'file')
  const problems = [
    ...(parsed.success ? [] : toProblems(parsed.error.issues, projectId, ['body', 'project_id'])),
    ...(file ? [] : [{ loc: ['body', 'file'], msg: "Field required: the file, in one part named 'file'.", type: 'missing' }]),
  ]
  if (!parsed.success || !file) throw new HttpError('invalid', problems)
  return { projectId: parsed.data, content: file.content }
}

/** The part of this name; undefined where there are several. */
function findSinglePart(parts: readonly FormPart[], name: string): FormPart | undefined {
  const [first, second] = parts.filter((part) => part.name === name)
  return second ? undefined : first
}

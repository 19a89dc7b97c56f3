import { ProjectId } from '../../../contract/project-id'
import { toProblems } from '../../../contract/to-problems'
import { HttpError } from '../../http/http-error'
import { preparation } from '../../http/prepare/preparation'
import { requireProject } from '../../http/route'
import type { User } from '../../http/user'
import { toDigest } from '../../lib/digest'
import { type FormPart, parseMultipart } from './parse-multipart'

type FileContext = { user: User; contentType: string }

/** `content` is the file, `start` to `end` of these bytes: the body itself, which moves between threads as a whole. */
export type PreparedFile = { projectId: string; digest: string; body: Uint8Array<ArrayBuffer>; start: number; end: number }

export const prepareFile = preparation('file', (body, { user, contentType }: FileContext): PreparedFile => {
  const { projectId, content } = parseFileForm(contentType, Buffer.from(body.buffer, body.byteOffset, body.byteLength))
  requireProject(user, projectId)
  const start = content.byteOffset - body.byteOffset
  return { projectId, digest: toDigest(content), body, start, end: start + content.length }
})

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

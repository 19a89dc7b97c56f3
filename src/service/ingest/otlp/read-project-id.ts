import { ProjectId } from '../../../contract/project-id'
import { HttpError } from '../../http/http-error'
import { requireProject } from '../../http/route'
import { canAccessProject, type User } from '../../http/user'
import { AttributeReader } from './attributes/attribute-reader'
import type { Attributes } from './attributes/attributes'

/** The project of a resource's spans, or why they have none. */
export type SpanProject = { projectId: string } | { reason: string; isForbidden: boolean }

const expected =
  "Name it in the header 'project_id', or as the resource attributes 'wandb.entity' and 'wandb.project', or 'spool.project' ('<entity>/<project>')."

/** Reads the project that a resource names. A project in the header wins, so this is for requests without one. */
export function readProjectId(resource: Attributes, user: User): SpanProject {
  const reader = new AttributeReader(resource)
  const entity = reader.get('wandb.entity')
  const project = reader.get('wandb.project')
  const isWeave = typeof entity === 'string' && typeof project === 'string'
  const named = isWeave ? `${entity}/${project}` : reader.get('spool.project')
  if (named === undefined) return { reason: `The span names no project. ${expected}`, isForbidden: false }
  const parsed = ProjectId.safeParse(named)
  if (!parsed.success) return { reason: `The project that the resource names is not valid. ${expected}`, isForbidden: false }
  if (canAccessProject(user, parsed.data)) return { projectId: parsed.data }
  return { reason: `The user '${user.username}' has no access to the project that the resource names.`, isForbidden: true }
}

/**
 * `OTEL_EXPORTER_OTLP_HEADERS` has values with percent-encoding, which some exporters send as they are (OpenLIT for
 * JavaScript 1.15.0). A project always has a slash, so the encoding shows.
 */
function decodeSlash(header: string): string {
  if (header.includes('/')) return header
  try {
    return decodeURIComponent(header)
  } catch {
    return header
  }
}

/** The project that the header names. Throws an `HttpError`. */
export function readHeaderProject(header: string, user: User): SpanProject {
  const parsed = ProjectId.safeParse(decodeSlash(header))
  if (!parsed.success) {
    const msg = parsed.error.issues[0]?.message ?? 'Must name a project.'
    throw new HttpError('invalid', { loc: ['header', 'project_id'], msg, type: 'value_error' })
  }
  requireProject(user, parsed.data)
  return { projectId: parsed.data }
}

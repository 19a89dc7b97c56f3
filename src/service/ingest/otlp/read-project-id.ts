import { ProjectId } from '../../../contract/project-id'
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

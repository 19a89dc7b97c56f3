import { ProjectId } from '../../../contract/project-id'
import { canAccessProject, type User } from '../../http/user'
import type { Attributes } from './span'

/** The project of a resource's spans, or why they have none. */
export type SpanProject = { projectId: string } | { reason: string; isForbidden: boolean }

const howToName =
  "Name it in the header 'project_id', or as the resource attributes 'wandb.entity' and 'wandb.project', or 'spool.project'"

/** The project that a resource names: what a header names has been judged before and rules. */
export function readProjectId(resource: Attributes, user: User): SpanProject {
  const entity = resource.get('wandb.entity')
  const project = resource.get('wandb.project')
  const isOriginal = typeof entity === 'string' && typeof project === 'string'
  const named = isOriginal ? `${entity}/${project}` : resource.get('spool.project')
  if (named === undefined)
    return { reason: `The span names no project. ${howToName} ('<entity>/<project>').`, isForbidden: false }
  const parsed = ProjectId.safeParse(named)
  if (!parsed.success) {
    return { reason: `The resource names no project that there can be. ${howToName} ('<entity>/<project>').`, isForbidden: false }
  }
  if (canAccessProject(user, parsed.data)) return { projectId: parsed.data }
  return { reason: `The user '${user.username}' has no access to the project that the resource names.`, isForbidden: true }
}

import * as z from 'zod'
import { ProjectId } from '../../contract/project-id'

/** Somebody who may sign in, without the secret. */
export const User = z.object({
  username: z.string().min(1),
  /** Every project, or these. */
  projects: z.union([z.literal('*'), z.array(ProjectId)]),
})
export type User = z.infer<typeof User>

export function canAccessProject(user: User, projectId: string): boolean {
  return user.projects === '*' || user.projects.includes(projectId)
}

import * as z from 'zod'
import { maxUsernameLength } from '../../contract/limits'
import { ProjectId } from '../../contract/project-id'

/** A user, without the password. */
export const User = z.object({
  username: z.string().min(1).max(maxUsernameLength),
  /** `*`: every project. */
  projects: z.union([z.literal('*'), z.array(ProjectId)]),
})
export type User = z.infer<typeof User>

export function canAccessProject(user: User, projectId: string): boolean {
  return user.projects === '*' || user.projects.includes(projectId)
}

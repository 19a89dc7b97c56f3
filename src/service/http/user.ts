import * as z from 'zod'
import { maxUsernameLength } from '../../contract/limits'
import { ProjectId } from '../../contract/project-id'

/** Basic credentials end a username at the first colon, and no header can hold control characters or half a character. */
export const Username = z
  .string()
  .min(1, 'must not be empty')
  .max(maxUsernameLength, `must have at most ${maxUsernameLength} characters`)
  .regex(/^[^:\p{Cc}\p{Cs}]*$/u, "must not contain ':' or control characters")

/** A user, without the password. */
export const User = z.object({
  username: Username,
  /** `*`: every project. */
  projects: z.union([z.literal('*'), z.array(ProjectId)]),
})
export type User = z.infer<typeof User>

export function canAccessProject(user: User, projectId: string): boolean {
  return user.projects === '*' || user.projects.includes(projectId)
}

import * as z from 'zod/mini'
import { defineEndpoint } from './endpoint'
import { ProjectId } from './project-id'

/** Where a file is sent as multipart/form-data: a field `project_id`, a file `file`. Clients know both names. */
export const fileCreatePaths = ['/file/create', '/files/create'] as const

/** What a file is known by: the digest of its content. */
export const FileCreated = z.object({ digest: z.string() })

/** Where the content of a file is read back, as bytes. */
export const fileContentPaths = ['/file/content', '/files/content'] as const

const ReadFile = z.object({ project_id: ProjectId, digest: z.string() })

/** The request of the operations above; their answer is the file itself. */
export const readFileContent = defineEndpoint({ path: '/file/content', request: ReadFile, response: z.unknown() })

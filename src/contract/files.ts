import * as z from 'zod/mini'
import { defineEndpoint } from './endpoint'
import { maxDigestLength } from './limits'
import { ProjectId } from './project-id'
import { boundedText } from './schema'

/** Paths that accept a file as multipart/form-data: a field `project_id` and a file `file`. Clients use both paths. */
export const fileCreatePaths = ['/file/create', '/files/create'] as const

/** The digest of the content identifies the file. */
export const FileCreated = z.object({ digest: z.string() })

/** Paths that return the content of a file as bytes. */
export const fileContentPaths = ['/file/content', '/files/content'] as const

const ReadFile = z.object({ project_id: ProjectId, digest: boundedText(maxDigestLength) })

/** The request of these operations. Their response is the file itself. */
export const readFileContent = defineEndpoint({ path: '/file/content', request: ReadFile, response: z.unknown() })

import { maxThreadIdLength } from './limits'
import { ProjectId } from './project-id'
import { strictRequest } from './request'
import { boundedText } from './schema'
import { ThreadFilter } from './thread-search-requests'

export const FindMatchingCalls = strictRequest({
  project_id: ProjectId,
  thread_id: boundedText(maxThreadIdLength),
  filter: ThreadFilter,
})

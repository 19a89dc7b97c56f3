import type { ProjectWork } from './project-work'
import type { Quarantined } from './quarantine'

// What the log names. Ids may be long, and thousands of projects may fail at once.

const maxLoggedLength = 200
const maxLoggedProjects = 5

export function toLoggedItem({ project_id: projectId, id }: Quarantined) {
  return { projectId, id: id.slice(0, maxLoggedLength) }
}

export function toLoggedProjects(projects: readonly ProjectWork[]) {
  return { projectCount: projects.length, projectIds: projects.slice(0, maxLoggedProjects).map(({ id }) => id) }
}

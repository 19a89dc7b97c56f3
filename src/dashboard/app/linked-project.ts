import { ProjectId } from '../../contract/project-id'

/** A link that opens the same view of the same project for whoever follows it. Carries no secret: the address never has one. */
export function linkTo(href: string, projectId: string): string {
  const url = new URL(href)
  url.hash = ''
  url.searchParams.set('project', projectId)
  return url.href
}

/** The project such a link names, taken out of the address: from here on the tab knows it. */
export function takeLinkedProject(): string | undefined {
  const url = new URL(location.href)
  const projectId = url.searchParams.get('project')
  if (projectId === null) return undefined
  url.searchParams.delete('project')
  history.replaceState(history.state, '', url.pathname + url.search + url.hash)
  return ProjectId.safeParse(projectId).success ? projectId : undefined
}

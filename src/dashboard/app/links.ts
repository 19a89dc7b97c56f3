import { ProjectId } from '../../contract/project-id'

/** A link that opens this view of this project for another person. It contains no secret: the address never has one. */
export function buildShareLink(href: string, projectId: string): string {
  const url = new URL(href)
  url.hash = ''
  url.searchParams.set('project', projectId)
  return url.href
}

/** Reads the project of a share link and removes it from the address. From then on the tab's selection holds it. */
export function takeLinkedProjectId(): string | undefined {
  const url = new URL(location.href)
  const projectId = url.searchParams.get('project')
  if (projectId === null) return undefined
  url.searchParams.delete('project')
  history.replaceState(history.state, '', url.pathname + url.search + url.hash)
  return ProjectId.safeParse(projectId).success ? projectId : undefined
}

/** Reads the code of a sign-in link and removes it from the address at once, so that no history, bookmark or copy keeps it. */
export function takeSignInCode(): string | undefined {
  const code = new URLSearchParams(location.hash.slice(1)).get('code')
  if (!code) return undefined
  history.replaceState(history.state, '', location.pathname + location.search)
  return code
}

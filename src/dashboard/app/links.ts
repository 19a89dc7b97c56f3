import { ProjectId } from '../../contract/project-id'
import type { ConnectionStore } from '../connection/connection-store'

/**
 * An address of this dashboard with the project in it, so that it opens the same view for another person and in another tab.
 * It contains no secret: no address does.
 *
 * @example withProject('/threads?size=25', 'acme/support') // '/threads?size=25&project=acme/support'
 */
export function withProject(href: string, projectId: string): string {
  const [path = '', search = ''] = href.split('?')
  const others = search.split('&').filter((part) => part !== '' && !part.startsWith('project='))
  return `${path}?${[...others, `project=${encodeURIComponent(projectId).replaceAll('%2F', '/')}`].join('&')}`
}

// wouter dispatches the events of pushState and replaceState; the browser has none.
const addressEvents = ['popstate', 'pushState', 'replaceState']

/**
 * Keeps the project in the address, and opens the project of every address: of a pasted link, and of a step back to the view
 * of another project. Nothing else has to think of it.
 */
export function keepProjectInAddress(store: ConnectionStore): void {
  const write = () => {
    const { current } = store.getState()
    if (!current || current.projectId === readProjectId()) return
    const href = withProject(location.pathname + location.search, current.projectId)
    history.replaceState(history.state, '', href + location.hash)
  }
  const follow = () => {
    const projectId = readProjectId()
    if (projectId === undefined) write()
    else store.openProject(projectId)
  }
  for (const name of addressEvents) window.addEventListener(name, follow)
  store.subscribe(write)
  follow()
}

function readProjectId(): string | undefined {
  return ProjectId.safeParse(new URLSearchParams(location.search).get('project')).data
}

/** Reads the code of a sign-in link and removes it from the address at once, so that no history, bookmark or copy keeps it. */
export function takeSignInCode(): string | undefined {
  const code = new URLSearchParams(location.hash.slice(1)).get('code')
  if (!code) return undefined
  history.replaceState(history.state, '', location.pathname + location.search)
  return code
}

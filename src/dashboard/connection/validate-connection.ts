import { ProjectId } from '../../contract/project-id'
import { wouldExposePassword } from '../client/connection'

/** What is wrong with a project's name, or undefined. */
export function validateProjectId(projectId: string): string | undefined {
  const parsed = ProjectId.safeParse(projectId)
  return parsed.success ? undefined : parsed.error.issues[0]?.message
}

/** What is wrong with a server's address, or undefined; empty means the server the page came from. */
export function validateBaseUrl(baseUrl: string, hasPassword: boolean): string | undefined {
  if (baseUrl === '') return undefined
  const url = URL.parse(baseUrl)
  if (!url || !/^https?:$/.test(url.protocol)) return 'Must begin with https:// or http://, such as https://spool.example.com.'
  if (url.username || url.password) return 'Leave the username and password out of the address; they have their own fields.'
  if (url.search || url.hash) return "Leave out what follows '?' or '#'."
  const password = hasPassword ? 'x' : ''
  if (wouldExposePassword({ id: '', name: '', username: '', projectId: '', baseUrl, password })) {
    return 'A password over plain http to another host can be read on the way, so it is not sent. Use https.'
  }
  return undefined
}

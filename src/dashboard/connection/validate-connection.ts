import { isLoopbackHost } from '../../contract/http'
import { ProjectId } from '../../contract/project-id'
import { wouldExposePassword } from '../client/connection'

/** The error in a project id, or undefined. */
export function validateProjectId(projectId: string): string | undefined {
  const parsed = ProjectId.safeParse(projectId)
  return parsed.success ? undefined : parsed.error.issues[0]?.message
}

/** The error in a server address, or undefined. An empty address means the server that the page came from. */
export function validateBaseUrl(baseUrl: string, hasPassword: boolean): string | undefined {
  if (baseUrl === '') return undefined
  const url = URL.parse(baseUrl)
  // `URL` also reads https:/a and https:///a, and takes the host of localhost:7766 for a scheme.
  if (!url || !/^https?:\/\/[^/\\]/i.test(baseUrl)) return describeAddress(baseUrl)
  if (url.username || url.password) return 'Leave the username and password out of the address; they have their own fields.'
  if (url.search || url.hash) return "Leave out '?' or '#' and everything after it."
  const password = hasPassword ? 'x' : ''
  if (wouldExposePassword({ id: '', name: '', username: '', projectId: '', baseUrl, password })) {
    return 'Others on the network can read a password that goes to another host over plain http, so it is not sent. Use https.'
  }
  return undefined
}

/** What looks like an address without its scheme is offered as one. */
function describeAddress(text: string): string {
  const rest = text.replace(/^[a-z+.-]*:?[/\\]+/i, '')
  const isAddress = /^(?:localhost|[^\s/@]+(?:\.[^\s/@.]+|:\d+))(?:[:/]|$)/i.test(rest) && URL.canParse(`https://${rest}`)
  const address = isAddress ? rest : 'spool.example.com'
  const scheme = isLoopbackHost(new URL(`https://${address}`).hostname) ? 'http' : 'https'
  return `An address starts with https:// or http://, for example ${scheme}://${address}`
}

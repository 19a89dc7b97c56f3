import { resolve } from 'node:path'
import { isLoopbackHost } from '../../../contract/http'
import { readUsersFile } from '../../auth/users-file'
import type { Settings } from '../../settings'
import { ImportError } from './import-error'

export type Server = {
  /** Without a slash at the end. */
  url: string
  /** The Authorization header. */
  authorization: string
}

/**
 * Finds the server that `--url` or the settings name, with credentials from the environment. On this machine the
 * administrator of the data folder is the default; its password never goes to another server.
 */
export async function findServer(settings: Settings, urlOption: string | undefined): Promise<Server> {
  const url = parseUrl(urlOption ?? getLocalUrl(settings))
  const isLocal = isLoopbackHost(url.hostname)
  const user = settings.username === undefined ? undefined : { username: settings.username, password: settings.password ?? '' }
  if (!user && !isLocal) {
    throw new ImportError(`${url.origin} is another machine. Set SPOOL_USERNAME and SPOOL_PASSWORD to one of its users.`)
  }
  if (url.protocol === 'http:' && !isLocal) {
    throw new ImportError(
      `http:// would send the password unencrypted to ${url.host}. Use https://, or a tunnel to this machine.`,
    )
  }
  const { username, password } = user ?? (await readAdministrator(resolve(settings.dataFolder)))
  const credentials = Buffer.from(`${username}:${password}`, 'utf8').toString('base64')
  return { url: `${url.origin}${url.pathname}`.replace(/\/+$/, ''), authorization: `Basic ${credentials}` }
}

function getLocalUrl({ host, port }: Settings): string {
  if (port === 0) throw new ImportError('SPOOL_PORT is 0, which means any free port. Name the address that Spool printed: --url.')
  // These two mean every address of this machine. A server can listen on them, but a client cannot connect to them.
  const reachable = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host
  return `http://${reachable.includes(':') ? `[${reachable}]` : reachable}:${port}`
}

function parseUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url || !/^https?:$/.test(url.protocol) || url.search !== '' || url.hash !== '') {
    throw new ImportError('--url must be an address such as http://127.0.0.1:7766 or https://spool.example.com/path.')
  }
  if (url.username !== '' || url.password !== '') {
    throw new ImportError('--url must not contain credentials: other users can see them. Set SPOOL_USERNAME and SPOOL_PASSWORD.')
  }
  return url
}

async function readAdministrator(folder: string) {
  const users = await readUsersFile(folder)
  const administrator = users?.find(({ projects }) => projects === '*')
  if (administrator) return administrator
  throw new ImportError(
    users
      ? `${folder}/users.json has no user with access to every project. Set SPOOL_USERNAME and SPOOL_PASSWORD.`
      : `There is no users.json in ${folder}. Set SPOOL_DATA to the data folder of Spool, or SPOOL_USERNAME and SPOOL_PASSWORD.`,
  )
}

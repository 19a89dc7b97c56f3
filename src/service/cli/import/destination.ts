import { resolve } from 'node:path'
import { isLoopbackHost } from '../../../contract/http'
import { readUsersFile } from '../../auth/users-file'
import type { Settings } from '../../settings'
import { ImportError } from './import-error'

/** Where the import sends to, and as whom. */
export type ImportTarget = {
  /** Without a slash at the end. */
  url: string
  authorization: string
}

/**
 * The service that `--url` or the settings name, with credentials of the environment, else the administrator of the data
 * folder: that one for this machine only, since the local password is no business of another server.
 */
export async function findDestination(settings: Settings, urlOption: string | undefined): Promise<ImportTarget> {
  const url = readUrl(urlOption ?? urlOfSettings(settings))
  const isLocal = isLoopbackHost(url.hostname)
  const user = settings.username === undefined ? undefined : { username: settings.username, password: settings.password ?? '' }
  if (!user && !isLocal) {
    throw new ImportError(`${url.origin} is another machine: set SPOOL_USERNAME and SPOOL_PASSWORD to a user of its own.`)
  }
  if (url.protocol === 'http:' && !isLocal) {
    throw new ImportError(`The password would travel readable to ${url.host}. Use https://, or a tunnel to this machine.`)
  }
  const { username, password } = user ?? (await administratorOf(resolve(settings.dataFolder)))
  const credentials = Buffer.from(`${username}:${password}`, 'utf8').toString('base64')
  return { url: `${url.origin}${url.pathname}`.replace(/\/+$/, ''), authorization: `Basic ${credentials}` }
}

function urlOfSettings({ host, port }: Settings): string {
  if (port === 0) throw new ImportError('SPOOL_PORT is 0, any free port: name the address that Spool printed with --url.')
  // These two mean every address of this machine, and can only be listened on.
  const reachable = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host
  return `http://${reachable.includes(':') ? `[${reachable}]` : reachable}:${port}`
}

function readUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url || !/^https?:$/.test(url.protocol) || url.search !== '' || url.hash !== '') {
    throw new ImportError('--url must be an address such as http://127.0.0.1:7766 or https://spool.example.com/path.')
  }
  if (url.username !== '' || url.password !== '') {
    throw new ImportError('--url must not carry credentials, which others could read: set SPOOL_USERNAME and SPOOL_PASSWORD.')
  }
  return url
}

async function administratorOf(folder: string) {
  const users = await readUsersFile(folder)
  const administrator = users?.find(({ projects }) => projects === '*')
  if (administrator) return administrator
  throw new ImportError(
    users
      ? `${folder}/users.json has no user of every project: set SPOOL_USERNAME and SPOOL_PASSWORD.`
      : `There is no users.json in ${folder}: set SPOOL_DATA to the data folder of Spool, or SPOOL_USERNAME and SPOOL_PASSWORD.`,
  )
}

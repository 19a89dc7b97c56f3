import { createBackup } from '../../contract/backup'
import { HttpError } from '../http/http-error'
import { requireAdministrator } from '../http/require-administrator'
import { type Route, route } from '../http/route'
import { BackupError, type Backups } from './backups'

const messages = {
  busy: 'Another backup is being made. Try again when it is done.',
  elsewhere: 'The data of this service is on a ClickHouse server. Make a backup there, with its statement BACKUP.',
} as const

export function backupRoutes({ backups }: { backups: Pick<Backups, 'create'> }): Route[] {
  return [
    route(createBackup, async (_, { user }) => {
      requireAdministrator(user, 'make a backup')
      try {
        const { path, byteCount } = await backups.create()
        return { path, byte_count: byteCount }
      } catch (error) {
        if (!(error instanceof BackupError)) throw error
        throw new HttpError('conflict', { loc: [], msg: messages[error.reason], type: 'conflict' })
      }
    }),
  ]
}

import { join } from 'node:path'
import { Session } from 'chdb'
import { renderSql, type Sql } from '../../../src/service/store/sql'

const unlimited =
  'max_memory_usage = 0, max_bytes_before_external_group_by = 0, max_bytes_before_external_sort = 0, max_execution_time = 0'

/** Runs statements beside the open store, without the limits that it has for each of them. The engine must be open without one too. */
export function openUnlimitedSession(folder: string) {
  const session = new Session(join(folder, 'store'))
  return {
    run: (statement: Sql, settings: string) => {
      const { text, params } = renderSql(statement)
      return session.queryBindAsync(`${text} SETTINGS ${settings}, ${unlimited}`, params, { format: 'JSONEachRow' })
    },
    close: () => session.close(),
  }
}

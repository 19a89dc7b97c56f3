import * as z from 'zod/mini'
import type { ClientEndpoint } from './endpoint'
import type { createTable, createTableFromDigests } from './tables'

// For writing tables: only the service checks what is sent.

const StoredTable = z.object({ digest: z.string(), row_digests: z.array(z.string()) })

export const storeTable: ClientEndpoint<typeof createTable.request, typeof StoredTable, false> = {
  method: 'POST',
  path: '/table/create',
  response: StoredTable,
  streams: false,
  places: {},
}

const JoinedTable = z.object({ digest: z.string() })

export const joinRows: ClientEndpoint<typeof createTableFromDigests.request, typeof JoinedTable, false> = {
  method: 'POST',
  path: '/table/create_from_digests',
  response: JoinedTable,
  streams: false,
  places: {},
}

import * as z from 'zod/mini'
import { defineEndpoint } from './endpoint'

/**
 * Makes a backup of the embedded store, for administrators: a folder that Spool can be started on. It has everything that was
 * acknowledged before the request, as after a power cut at one moment, with the users and without the sessions. Its large
 * files are hard links to those of the store, so it takes a moment and little space. Copy it to another disk before it is
 * used. Errors: 403 for other users, 409 while another one is made, and where the data is on a ClickHouse server.
 */
export const createBackup = defineEndpoint({
  path: '/backup',
  request: z.strictObject({}),
  response: z.object({
    /** The folder, on the machine of the service. */
    path: z.string(),
    /** Of all its files. */
    byte_count: z.number(),
  }),
})

import * as z from 'zod/mini'
import { defineEndpoint } from './endpoint'

/** Exchanges the one-time code of a sign-in link for credentials, without credentials. A code works once, for ten minutes. */
export const redeemSignInCode = defineEndpoint({
  path: '/session/redeem',
  request: z.strictObject({ code: z.string() }),
  response: z.object({ username: z.string(), password: z.string(), project_id: z.nullable(z.string()) }),
})

/** The projects that have data and that the user may access. A Spool extension. */
export const listProjects = defineEndpoint({
  method: 'GET',
  path: '/projects',
  request: z.strictObject({}),
  response: z.object({ projects: z.array(z.string()) }),
})

import * as z from 'zod/mini'
import { defineEndpoint } from './endpoint'

// The operations of this file are Spool extensions. The session itself travels in a cookie that scripts cannot read.

/** `project_id` is the project to open first, if the service names one. */
const SignedIn = z.object({ username: z.string(), project_id: z.nullable(z.string()) })

/** Signs in and sets the session cookie. Without `is_remembered` the session ends after twelve hours without use. */
export const createSession = defineEndpoint({
  path: '/session',
  request: z.strictObject({ username: z.string(), password: z.string(), is_remembered: z.boolean() }),
  response: SignedIn,
})

/** Signs in by the one-time code of a sign-in link. A code works once, for ten minutes. */
export const redeemSignInCode = defineEndpoint({
  path: '/session/redeem',
  request: z.strictObject({ code: z.string() }),
  response: SignedIn,
})

/** Who is signed in. `expires_at` is the end of a session that lasts 30 days, and null for any other. */
export const readSession = defineEndpoint({
  method: 'GET',
  path: '/session',
  request: z.strictObject({}),
  response: z.object({
    username: z.string(),
    projects: z.union([z.literal('*'), z.array(z.string())]),
    expires_at: z.nullable(z.string()),
    /** All sessions of this user, on this and other devices. */
    session_count: z.number(),
  }),
})

/** Signs out: ends the session of the cookie. */
export const endSession = defineEndpoint({
  method: 'DELETE',
  path: '/session',
  request: z.strictObject({}),
  response: z.object({}),
})

/** Signs out everywhere: ends all sessions of the user. */
export const endAllSessions = defineEndpoint({
  method: 'DELETE',
  path: '/sessions',
  request: z.strictObject({}),
  response: z.object({}),
})

/** Versions, as W&B Weave's clients ask for them. `service` tells a Spool from other services. */
export const readServerInfo = defineEndpoint({
  method: 'GET',
  path: '/server_info',
  // Not strict: health checks add query parameters to get past caches.
  request: z.object({}),
  response: z.object({
    min_required_weave_python_version: z.optional(z.string()),
    trace_server_version: z.optional(z.nullable(z.string())),
    service: z.optional(z.string()),
  }),
})

/** The projects that have data and that the user may access. A Spool extension. */
export const listProjects = defineEndpoint({
  method: 'GET',
  path: '/projects',
  request: z.strictObject({}),
  response: z.object({ projects: z.array(z.string()) }),
})

import type { HttpBindings } from '@hono/node-server'

/** What Hono's context holds for one request. */
export type HttpEnv = {
  /** Empty where the app is called in memory. */
  Bindings: Partial<HttpBindings & { onSignIn: (username: string) => void }>
  Variables: { requestId: string; username?: string }
}

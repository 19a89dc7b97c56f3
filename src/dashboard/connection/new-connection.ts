import { randomHex } from '../client/random-hex'
import type { SavedConnection } from './connection-store'

/** A new service contains this sample project. */
export const defaultProjectId = 'sample/support-bot'

export function newConnection(): SavedConnection {
  return { id: randomHex(12), name: '', baseUrl: '', username: '', projectId: defaultProjectId, isRemembered: false }
}

/** The name of a connection without a name of its own. */
export function defaultConnectionName(baseUrl: string): string {
  return baseUrl === '' ? 'This server' : (URL.parse(baseUrl)?.host ?? baseUrl)
}

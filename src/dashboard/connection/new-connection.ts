import { randomHex } from '../client/random-hex'
import type { SavedConnection } from './connection-store'

/** The project that a fresh service comes with. */
export const defaultProjectId = 'sample/support-bot'

export function newConnection(): SavedConnection {
  return { id: randomHex(12), name: '', baseUrl: '', username: '', projectId: defaultProjectId, isRemembered: false }
}

/** A name for one left unnamed: the host says most. */
export function defaultConnectionName(baseUrl: string): string {
  return baseUrl === '' ? 'This server' : (URL.parse(baseUrl)?.host ?? baseUrl)
}

import type { SavedConnection } from './connection-store'

/** The project that a fresh service comes with. */
export const defaultProjectId = 'sample/support-bot'

export function newConnection(): SavedConnection {
  return { id: newId(), name: '', baseUrl: '', username: '', projectId: defaultProjectId, isRemembered: false }
}

/** A name for one left unnamed: the host says most. */
export function nameFor(baseUrl: string): string {
  return baseUrl === '' ? 'This server' : (URL.parse(baseUrl)?.host ?? baseUrl)
}

// crypto.randomUUID is there in secure contexts only; over plain http on a LAN address it is not.
function newId(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(12)), (byte) => byte.toString(16).padStart(2, '0')).join('')
}

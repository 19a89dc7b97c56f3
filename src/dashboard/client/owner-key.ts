import type { Connection } from './connection'

/** One user in one project of one connection. */
export type Owner = Pick<Connection, 'id' | 'projectId' | 'username'>

/** The part of a storage key that keeps the data of each owner apart. No key of one owner begins with the key of another. */
export function ownerKey({ id, projectId, username }: Owner): string {
  return JSON.stringify([id, projectId, username])
}

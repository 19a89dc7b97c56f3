import * as z from 'zod/mini'
import type { Connection } from '../client/connection'
import { storedValue } from '../client/stored-value'

/** A connection as this device keeps it. Its password is kept apart: for the tab, or on the device where the person says so. */
export const SavedConnection = z.object({
  id: z.string(),
  name: z.string(),
  baseUrl: z.string(),
  username: z.string(),
  projectId: z.string(),
  isRemembered: z.boolean(),
})
export type SavedConnection = z.infer<typeof SavedConnection>

/** Why the sign-in form is up, or what came of a sign-in link. */
export type SignInNote = { tone: 'info' | 'warn' | 'bad'; title: string; text?: string }

export type ConnectionState = {
  connections: readonly SavedConnection[]
  /** The one in use, with its password. Undefined: somebody has to sign in first. */
  current: Connection | undefined
  /** Whom the sign-in form is for: the one chosen or last used, its password not known. */
  signInTarget: SavedConnection | undefined
  recentProjects: readonly string[]
  /** The project a followed link was about, for the first sign-in. */
  linkedProjectId: string | undefined
  note: SignInNote | undefined
  isRedeeming: boolean
}

export type ConnectionStore = ReturnType<typeof createConnectionStore>

// An object whose every key is unforeseen says the same as a record, in a tenth of its code.
const Passwords = z.catchall(z.object({}), z.string())
const onDevice = {
  connections: storedValue(z.array(SavedConnection), 'spool.connections', 'device'),
  passwords: storedValue(Passwords, 'spool.passwords', 'device'),
  lastUsed: storedValue(z.string(), 'spool.last-connection', 'device'),
  recentProjects: storedValue(z.catchall(z.object({}), z.array(z.string())), 'spool.recent-projects', 'device'),
}
// Two tabs may look at two projects, or at two servers.
const inTab = {
  passwords: storedValue(Passwords, 'spool.passwords', 'tab'),
  selection: storedValue(z.object({ connectionId: z.string(), projectId: z.string() }), 'spool.selection', 'tab'),
}
const maxRecentProjects = 8

/** The connections of this device and the one this tab uses. */
export function createConnectionStore() {
  const listeners = new Set<() => void>()
  // What storage would not take still holds for this page.
  const passwords = new Map(Object.entries({ ...onDevice.passwords.read(), ...inTab.passwords.read() }))
  let connections = onDevice.connections.read() ?? []
  let selection =
    inTab.selection.read() ?? toSelection(connections.find(({ id }) => id === onDevice.lastUsed.read()) ?? connections[0])
  let note: SignInNote | undefined
  let isRedeeming = false
  let linkedProjectId: string | undefined
  let state = compute()

  function compute(): ConnectionState {
    const saved = connections.find(({ id }) => id === selection?.connectionId)
    const password = saved && passwords.get(saved.id)
    const current =
      saved && selection && password !== undefined
        ? {
            id: saved.id,
            name: saved.name,
            baseUrl: saved.baseUrl,
            username: saved.username,
            password,
            projectId: selection.projectId,
          }
        : undefined
    return {
      connections,
      current,
      signInTarget: current ? undefined : saved,
      recentProjects: (saved && onDevice.recentProjects.read()?.[saved.id]) ?? [],
      linkedProjectId,
      note,
      isRedeeming,
    }
  }

  function publish() {
    state = compute()
    for (const listener of listeners) listener()
  }

  function keepConnections(change: (list: readonly SavedConnection[]) => SavedConnection[]) {
    // Another tab may have written since.
    connections = change(onDevice.connections.read() ?? connections)
    onDevice.connections.write(connections)
  }

  function keepPasswords() {
    const isOnDevice = (id: string) => connections.some((saved) => saved.id === id && saved.isRemembered)
    const kept = [...passwords].filter(([id]) => connections.some((saved) => saved.id === id))
    inTab.passwords.write(Object.fromEntries(kept.filter(([id]) => !isOnDevice(id))))
    onDevice.passwords.write(Object.fromEntries(kept.filter(([id]) => isOnDevice(id))))
  }

  function choose(saved: SavedConnection, projectId: string) {
    selection = { connectionId: saved.id, projectId }
    inTab.selection.write(selection)
    onDevice.lastUsed.write(saved.id)
    const recent = onDevice.recentProjects.read() ?? {}
    const projects = [projectId, ...(recent[saved.id] ?? []).filter((each) => each !== projectId)].slice(0, maxRecentProjects)
    onDevice.recentProjects.write({ ...recent, [saved.id]: projects })
  }

  return {
    subscribe: (listener: () => void) => {
      listeners.add(listener)
      return () => {
        listeners.delete(listener)
      }
    },
    getState: () => state,
    /** Undefined where it is not in hand. */
    passwordOf: (id: string) => passwords.get(id),

    /** Keeps a connection, new or changed, with its password; `isUsed` also makes this tab use it. */
    save(saved: SavedConnection, password: string, isUsed: boolean) {
      const before = connections.find(({ id }) => id === saved.id)
      keepConnections((list) =>
        list.some(({ id }) => id === saved.id) ? list.map((each) => (each.id === saved.id ? saved : each)) : [...list, saved],
      )
      passwords.set(saved.id, password)
      keepPasswords()
      note = undefined
      const isSelected = selection?.connectionId === saved.id
      // Saving under another project means that project; a mere new name leaves the tab where it is.
      const isMoved = before?.projectId !== saved.projectId
      if (isUsed && (!isSelected || isMoved || !selection)) choose(saved, saved.projectId)
      publish()
    },

    /** Uses another of the saved connections; without its password in hand the sign-in form comes up. */
    select(id: string) {
      const saved = connections.find((each) => each.id === id)
      if (!saved) return
      note = undefined
      choose(saved, saved.projectId)
      publish()
    },

    remove(id: string) {
      keepConnections((list) => list.filter((each) => each.id !== id))
      passwords.delete(id)
      keepPasswords()
      if (selection?.connectionId === id) {
        selection = undefined
        inTab.selection.remove()
      }
      publish()
    },

    switchProject(projectId: string) {
      const saved = connections.find(({ id }) => id === selection?.connectionId)
      if (!saved || selection?.projectId === projectId) return
      choose(saved, projectId)
      keepConnections((list) => list.map((each) => (each.id === saved.id ? { ...each, projectId } : each)))
      publish()
    },

    /** What a link asks for: this tab's project, or, before anybody is signed in, the one to begin with. */
    openProject(projectId: string) {
      if (selection) {
        selection = { ...selection, projectId }
        inTab.selection.write(selection)
      } else linkedProjectId = projectId
      publish()
    },

    /** Forgets the password of the connection in use, and says why in `because`. */
    signOut(because?: SignInNote) {
      if (!selection || !passwords.has(selection.connectionId)) return
      passwords.delete(selection.connectionId)
      keepPasswords()
      note = because
      publish()
    },

    setRedeeming(value: boolean, outcome?: SignInNote) {
      isRedeeming = value
      note = outcome
      publish()
    },

    /** Takes in what another tab has written. */
    refresh() {
      connections = onDevice.connections.read() ?? []
      publish()
    },
  }
}

function toSelection(saved: SavedConnection | undefined) {
  return saved && { connectionId: saved.id, projectId: saved.projectId }
}

import * as z from 'zod/mini'
import type { Connection } from '../client/connection'
import { storedValue } from '../client/stored-value'

/**
 * A connection as stored on this device. The password is stored apart: for the tab, or on the device if the person chose that.
 * For the server that the page came from a session takes its place, and nothing secret is stored.
 */
export const SavedConnection = z.object({
  id: z.string(),
  name: z.string(),
  baseUrl: z.string(),
  username: z.string(),
  projectId: z.string(),
  isRemembered: z.boolean(),
  /** Of the server that the page came from: false if it has no sessions, and undefined until the first sign-in. */
  hasSession: z.optional(z.boolean()),
})
export type SavedConnection = z.infer<typeof SavedConnection>

/** A note on the sign-in form: why it is shown, or how a sign-in link failed. */
export type SignInNote = { tone: 'info' | 'warn' | 'bad'; title: string; text?: string }

export type ConnectionState = {
  connections: readonly SavedConnection[]
  /** The connection in use, with its password. Undefined until the person signs in. */
  current: Connection | undefined
  /** The connection that the sign-in form is for: the selected or last used one, if nobody is signed in to it. */
  signInTarget: SavedConnection | undefined
  /** Who has a session on the server that the page came from, in any tab, as far as this device knows. */
  sessionUsername: string | undefined
  recentProjects: readonly string[]
  /** The project of the link that opened this tab, for the first sign-in. */
  linkedProjectId: string | undefined
  note: SignInNote | undefined
  isRedeeming: boolean
}

export type ConnectionStore = ReturnType<typeof createConnectionStore>

// A catchall of an empty object means the same as z.record, with a tenth of its code.
const Passwords = z.catchall(z.object({}), z.string())
const onDevice = {
  connections: storedValue(z.array(SavedConnection), 'spool.connections', 'device'),
  passwords: storedValue(Passwords, 'spool.passwords', 'device'),
  // The time tells the sessions of one user apart.
  session: storedValue(z.object({ username: z.string(), startedAt: z.number() }), 'spool.session', 'device'),
  lastUsed: storedValue(z.string(), 'spool.last-connection', 'device'),
  recentProjects: storedValue(z.catchall(z.object({}), z.array(z.string())), 'spool.recent-projects', 'device'),
}
// Two tabs may show two projects, or two servers.
const inTab = {
  passwords: storedValue(Passwords, 'spool.passwords', 'tab'),
  // With the username: another tab may have changed that of the connection.
  selection: storedValue(
    z.object({ connectionId: z.string(), projectId: z.string(), username: z.string() }),
    'spool.selection',
    'tab',
  ),
}
const maxRecentProjects = 8

/** The connections of this device, and the one that this tab uses. */
export function createConnectionStore() {
  const listeners = new Set<() => void>()
  // Also holds passwords that the storage did not accept, for the life of the page.
  const passwords = new Map(Object.entries({ ...onDevice.passwords.read(), ...inTab.passwords.read() }))
  let connections: readonly SavedConnection[] = readConnections()
  let session = onDevice.session.read()
  let selection = inTab.selection.read() ?? lastSelection(connections)
  let note: SignInNote | undefined
  let isRedeeming = false
  let linkedProjectId: string | undefined
  // Earlier versions stored passwords where a session now takes their place.
  if (connections.some((saved) => hasOwnSession(saved) && passwords.delete(saved.id))) storePasswords()
  let state = compute()

  function compute(): ConnectionState {
    const saved = connections.find(({ id }) => id === selection?.connectionId)
    const password = saved && passwordOf(saved)
    const current =
      saved && selection && password !== undefined ? { ...saved, password, projectId: selection.projectId } : undefined
    return {
      connections,
      current,
      signInTarget: current ? undefined : saved && selection && { ...saved, projectId: selection.projectId },
      sessionUsername: session?.username,
      recentProjects: (saved && onDevice.recentProjects.read()?.[saved.id]) ?? [],
      linkedProjectId,
      note,
      isRedeeming,
    }
  }

  /** '' while a session takes the place of the password, undefined while nobody is signed in. */
  function passwordOf(saved: SavedConnection): string | undefined {
    if (!hasOwnSession(saved)) return passwords.get(saved.id)
    const isChanged = selection?.connectionId === saved.id && selection.username !== saved.username
    return session?.username === saved.username && !isChanged ? '' : undefined
  }

  function publish() {
    state = compute()
    for (const listener of listeners) listener()
  }

  function updateConnections(change: (list: readonly SavedConnection[]) => readonly SavedConnection[]) {
    // Another tab may have written since.
    connections = change(readConnections(connections))
    onDevice.connections.write([...connections])
  }

  function storePasswords() {
    const isOnDevice = (id: string) => connections.some((saved) => saved.id === id && saved.isRemembered)
    const stored = [...passwords].filter(([id]) => connections.some((saved) => saved.id === id && !hasOwnSession(saved)))
    inTab.passwords.write(Object.fromEntries(stored.filter(([id]) => !isOnDevice(id))))
    onDevice.passwords.write(Object.fromEntries(stored.filter(([id]) => isOnDevice(id))))
  }

  function applySelection(saved: SavedConnection, projectId: string) {
    selection = { connectionId: saved.id, projectId, username: saved.username }
    inTab.selection.write(selection)
    onDevice.lastUsed.write(saved.id)
    const recent = onDevice.recentProjects.read() ?? {}
    const projects = [projectId, ...(recent[saved.id] ?? []).filter((each) => each !== projectId)].slice(0, maxRecentProjects)
    onDevice.recentProjects.write({ ...recent, [saved.id]: projects })
  }

  function save(saved: SavedConnection, password: string, isUsed: boolean) {
    const before = connections.find(({ id }) => id === saved.id)
    updateConnections((list) =>
      list.some(({ id }) => id === saved.id) ? list.map((each) => (each.id === saved.id ? saved : each)) : [...list, saved],
    )
    passwords.set(saved.id, password)
    storePasswords()
    note = undefined
    const isSelected = selection?.connectionId === saved.id && selection.username === saved.username
    // A changed project switches the tab to that project; a changed name does not move it.
    const isMoved = before?.projectId !== saved.projectId
    if (isUsed && (!isSelected || isMoved)) applySelection(saved, saved.projectId)
    publish()
  }

  /** Reads what another tab changed. */
  function refresh() {
    connections = readConnections()
    session = onDevice.session.read()
    selection ??= lastSelection(connections)
    publish()
  }

  return {
    subscribe: (listener: () => void) => {
      listeners.add(listener)
      return () => {
        listeners.delete(listener)
      }
    },
    getState: () => state,
    /** Undefined if the password is not stored. */
    passwordOf: (id: string) => connections.filter((saved) => saved.id === id).map(passwordOf)[0],

    /** Stores a new or changed connection with its password, '' where a session takes its place. With `isUsed` this tab also switches to it. */
    save,

    /** Uses a connection whose user the server has just given a session. */
    startSession(saved: SavedConnection) {
      session = { username: saved.username, startedAt: Date.now() }
      onDevice.session.write(session)
      save({ ...saved, hasSession: true }, '', true)
    },

    /** Switches to another saved connection. Without a stored password the sign-in form is shown. */
    select(id: string) {
      const saved = connections.find((each) => each.id === id)
      if (!saved) return
      note = undefined
      applySelection(saved, saved.projectId)
      publish()
    },

    remove(id: string) {
      updateConnections((list) => list.filter((each) => each.id !== id))
      passwords.delete(id)
      storePasswords()
      if (selection?.connectionId === id) {
        selection = undefined
        inTab.selection.remove()
      }
      publish()
    },

    switchProject(projectId: string) {
      const saved = connections.find(({ id }) => id === selection?.connectionId)
      if (!saved) return
      applySelection(saved, projectId)
      updateConnections((list) => list.map((each) => (each.id === saved.id ? { ...each, projectId } : each)))
      publish()
    },

    /** Opens the project of an address: in this tab, or after the first sign-in if nobody is signed in yet. */
    openProject(projectId: string) {
      if (projectId === (selection?.projectId ?? linkedProjectId)) return
      if (selection) {
        selection = { ...selection, projectId }
        inTab.selection.write(selection)
      } else linkedProjectId = projectId
      publish()
    },

    /** Forgets the session, in all tabs, or the password of the current connection. The sign-in form shows `reason`. */
    signOut(reason?: SignInNote) {
      const saved = connections.find(({ id }) => id === state.current?.id)
      if (!saved) return
      if (hasOwnSession(saved)) {
        const stored = onDevice.session.read()
        // What ended is an older session: somebody has signed in in another tab since.
        if (stored && stored.startedAt !== session?.startedAt) return refresh()
        session = undefined
        onDevice.session.remove()
      }
      passwords.delete(saved.id)
      storePasswords()
      note = reason
      publish()
    },

    setRedeeming(value: boolean, outcome?: SignInNote) {
      isRedeeming = value
      note = outcome
      publish()
    },

    refresh,
  }
}

/** Whether a session takes the place of the password. */
export function hasOwnSession({ baseUrl, hasSession }: SavedConnection): boolean {
  return baseUrl === '' && hasSession !== false
}

function readConnections(otherwise: readonly SavedConnection[] = []): readonly SavedConnection[] {
  const saved = onDevice.connections.read() ?? otherwise
  // The address of this page may also be written out.
  for (const each of saved) if (each.baseUrl === location.origin) each.baseUrl = ''
  return saved
}

function lastSelection(connections: readonly SavedConnection[]) {
  const saved = connections.find(({ id }) => id === onDevice.lastUsed.read()) ?? connections[0]
  return saved && { connectionId: saved.id, projectId: saved.projectId, username: saved.username }
}

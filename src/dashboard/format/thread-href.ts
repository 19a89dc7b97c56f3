/** Operations of services have these addresses: a browser that asks for the page would get their answer. */
const operations = new Set(['stream_query', 'turns', 'usage', 'search', 'shape', 'history'])

/**
 * The address of a thread's page. An id may hold any character. Undefined for the few that no address can hold: the browser
 * takes `.` and `..` for folders, and half of a surrogate pair has no encoding.
 *
 * @example toThreadHref('chat/7') // '/threads/chat%2F7'
 */
export function toThreadHref(id: string, search = ''): string | undefined {
  if (id === '' || id === '.' || id === '..' || /\p{Surrogate}/u.test(id)) return undefined
  // The page has a second address, with a slash at its end.
  return `/threads/${encodeURIComponent(id)}${operations.has(id) ? '/' : ''}${search && `?${search}`}`
}

/** The address that leads to a call wherever it is. Undefined for the few ids that no address can hold. */
export function toCallPageHref(id: string): string | undefined {
  return toThreadHref(id)?.replace('/threads/', '/calls/')
}

type Place = { id: string; thread_id?: string | null | undefined; turn_id?: string | null | undefined }

/**
 * The address of a call in its thread; undefined for a call that is in none, or in none of its turns.
 *
 * @example toCallHref({ id: 'c', thread_id: 'chat-7', turn_id: 't' }) // '/threads/chat-7?turn=t&call=c'
 */
export function toCallHref({ id, thread_id: threadId, turn_id: turnId }: Place): string | undefined {
  // Null: the call is in no turn. Undefined: the service knows no turns, and the call itself may be one.
  if (!threadId || turnId === null) return undefined
  const turn = turnId ?? id
  return toThreadHref(threadId, new URLSearchParams(turn === id ? { turn } : { turn, call: id }).toString())
}

/** The id in the address of a thread or a call; the router decodes a part of it only. Undefined where it cannot be read. */
export function readIdOfPage(pathname: string): string | undefined {
  try {
    return decodeURIComponent(pathname.split('/')[2] ?? '') || undefined
  } catch {
    return undefined
  }
}

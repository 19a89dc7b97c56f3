import { useRef, useState } from 'react'
import * as z from 'zod/mini'
import { useConnection } from './connection-context'
import { ownerKey } from './owner-key'
import { storedValue } from './stored-value'

/**
 * The values of a form, kept in this tab until they are sent or discarded: through Escape, another page and a reload. Each
 * user, project and `name` has a draft. A component keeps the one that it began with: where `name` changes, the component
 * needs another `key`.
 *
 * @returns the values, how to change some of them (also by a function of the latest), and how to forget the draft: of what was
 * `sent`, only where nothing else was typed since. `restore` keeps again what could not be sent, on the same condition.
 * @example const [values, change, forget] = useDraft(Values, `queue-edit ${queue.id}`, { name: '' })
 */
export function useDraft<Values extends object>(schema: z.ZodMiniType<Values, Values>, name: string, initial: Values) {
  const connection = useConnection()
  const draft = storedValue(schema, `spool.draft ${ownerKey(connection)} ${name}`, 'tab')
  const [values, setValues] = useState(() => draft.read() ?? initial)
  // Several changes may come before the next render.
  const latest = useRef(values)
  const change = (part: Partial<Values> | ((latest: Values) => Partial<Values>)) => {
    latest.current = { ...latest.current, ...(typeof part === 'function' ? part(latest.current) : part) }
    setValues(latest.current)
    draft.write(latest.current)
  }
  const forget = (sent?: Values) => {
    // The schema puts the fields in its order.
    const isUnchanged = () => JSON.stringify(draft.read()) === JSON.stringify(z.safeParse(schema, sent).data)
    if (sent === undefined || isUnchanged()) draft.remove()
  }
  const restore = (sent: Values) => {
    if (draft.read() === undefined) draft.write(sent)
  }
  return [values, change, forget, restore] as const
}

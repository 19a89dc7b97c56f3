import { type ComponentType, lazy, useSyncExternalStore } from 'react'
import { waitForRetry } from './retry-schedule'

// Module state: the parts are files of the dashboard, and each is loaded once.
const loaders = new Set<() => Promise<unknown>>()
const listeners = new Set<() => void>()
let isMissing = false

/**
 * A component in a file of its own. It never fails for want of the server: the file is requested until it is there. `preload`
 * requests it once; a part that is loaded renders at once, without the delay that React adds after a fallback.
 *
 * @example const CostPanel = lazyPart(async () => (await import('./CostPanel')).CostPanel)
 */
// oxlint-disable-next-line typescript/no-explicit-any -- components with different props have no narrower common type
export function lazyPart<Component extends ComponentType<any>>(load: () => Promise<Component>) {
  let part: Component | undefined
  const preload = async () => (part = await load())
  loaders.add(preload)
  // React reads a promise that is settled already without suspending; only one that calls back at once is known to be.
  const start = () => (part ? settled({ default: part }) : loadPart(preload).then((loaded) => ({ default: loaded })))
  return Object.assign(lazy(start), { preload })
}

function settled<Value>(value: Value): Promise<Value> {
  // oxlint-disable-next-line unicorn/no-thenable -- a Promise would call back later
  return { then: (use: (value: Value) => void) => use(value) } as Promise<Value> // all that lazy() calls
}

/** Loads all parts, so that they are there when the server goes away. One after the other: nobody waits for them. */
export async function preloadParts(): Promise<void> {
  for (const load of loaders) await loadPart(load)
}

/**
 * Calls `load` until it succeeds. Browsers request a file again whose import failed
 * (https://github.com/whatwg/html/pull/10327). Throws only where the server has a newer version, without this file.
 */
export async function loadPart<Part>(load: () => Promise<Part>): Promise<Part> {
  for (;;) {
    try {
      const part = await load()
      setMissing(false)
      return part
    } catch (error) {
      if (await isReplacedVersion()) throw error
      setMissing(true)
      await waitForRetry()
    }
  }
}

/** Whether a part could not be loaded and waits for its next attempt. */
export function useIsPartMissing(): boolean {
  return useSyncExternalStore(subscribe, () => isMissing)
}

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

function setMissing(next: boolean): void {
  isMissing = next
  for (const listener of listeners) listener()
}

/** The files of another version have other names: only a reload finds them. */
async function isReplacedVersion(): Promise<boolean> {
  try {
    const response = await fetch('/', { cache: 'no-store' })
    const page = await response.text()
    return response.ok && !Array.from(document.scripts).some(({ src }) => src !== '' && page.includes(new URL(src).pathname))
  } catch {
    // No response: the files may still be there.
    return false
  }
}

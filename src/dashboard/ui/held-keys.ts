// Module state: the keys of the whole window.
const held = new Set<string>()
const maxHeldMs = 400

if (typeof window !== 'undefined') {
  const options = { capture: true, passive: true }
  window.addEventListener('keydown', ({ code }) => held.add(code), options)
  window.addEventListener(
    'keyup',
    ({ code, key }) => {
      // While Meta is held, macOS does not say that another key is released.
      if (key === 'Meta') held.clear()
      held.delete(code)
    },
    options,
  )
  // Not the blur of an element: each dialog takes the focus from what opened it.
  window.addEventListener('blur', ({ target }) => target === window && held.clear(), options)
}

/**
 * The repeats of a key that is held now do nothing, until a key is pressed again: Enter that opened a form must not send it too.
 * Returns how to end that.
 */
export function ignoreRepeats(): () => void {
  const moment = new AbortController()
  window.addEventListener(
    'keydown',
    (event) => {
      if (!event.repeat) return moment.abort()
      event.preventDefault()
      event.stopImmediatePropagation()
    },
    { capture: true, signal: moment.signal },
  )
  return () => moment.abort()
}

/**
 * Calls `then` soon, when no key is held any more: what takes long would delay the answer to the release. Not later than after
 * 400 ms, because a key may be held for another reason. Returns how to stop that.
 */
export function afterRelease(then: () => void): () => void {
  const moment = new AbortController()
  const stop = () => {
    moment.abort()
    clearTimeout(timer)
  }
  const end = () => {
    stop()
    then()
  }
  const timer = setTimeout(end, held.size === 0 ? 0 : maxHeldMs)
  window.addEventListener('keyup', () => held.size === 0 && end(), { signal: moment.signal })
  window.addEventListener('blur', end, { signal: moment.signal })
  return stop
}

import { afterFrame } from './after-frame'

/** Where the focus goes that comes back to an element: to it, or near it where it is gone, or to the page. */
export function listPlaces(element: Element | null): HTMLElement[] {
  const places: (Element | null)[] = []
  for (let place = element; place && place !== document.body; place = place.parentElement) places.push(place)
  places.push(document.querySelector('main'))
  return places.filter((place) => place instanceof HTMLElement)
}

/** An element that is gone, hidden or not made for the focus does not take it. The heading of a new page keeps it. */
export function focusFirst([first, ...others]: readonly HTMLElement[]): void {
  first?.focus()
  for (const place of others) if (isFocusLost()) place.focus()
}

function isFocusLost(): boolean {
  return document.activeElement === document.body
}

/**
 * An element that is removed leaves the focus to nothing. From now on it goes near that place, after a frame: what removed the
 * element may know a better one. `data-keeps-focus` is a selector of what takes the focus of all else inside, now or when it
 * comes.
 */
export function keepFocus(): void {
  let places: readonly HTMLElement[] = []
  const restore = () => {
    if (places[0]?.isConnected !== false) return
    for (const place of places) {
      if (!isFocusLost()) return
      const { keepsFocus } = place.dataset
      if (keepsFocus && place.isConnected) return place.querySelector<HTMLElement>(keepsFocus)?.focus({ preventScroll: true })
      place.focus({ preventScroll: true })
    }
  }
  addEventListener('focusin', ({ target }) => {
    if (target instanceof Element) places = listPlaces(target)
  })
  // A click beside everything takes the focus away too, and on purpose: then nothing gets it back.
  addEventListener('focusout', () => {
    afterFrame(() => {
      // An element that is hidden was not left: React hides a part before it removes it.
      if (isFocusLost() && places[0]?.checkVisibility()) places = []
    })
  })
  new MutationObserver(() => {
    if (isFocusLost()) afterFrame(restore)
  }).observe(document.body, { childList: true, subtree: true })
}

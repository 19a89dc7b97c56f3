/**
 * Keys of a composition (Chinese, Japanese, Korean and others) are for the input method: Enter takes a suggestion there and
 * Escape closes the list. No handler of the page sees them. Call it once, before there are others.
 */
export function hideCompositionKeys(): void {
  window.addEventListener(
    'keydown',
    (event) => {
      // Safari ends the composition before the event of the key that ended it, which has this code only.
      if (event.isComposing || event.keyCode === 229) event.stopImmediatePropagation()
    },
    { capture: true },
  )
}

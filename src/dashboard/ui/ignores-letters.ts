/** Whether a dialog, a menu or another popover lies above the page: the keys are for that. */
export function isPageCovered(): boolean {
  return document.querySelector('dialog:modal, [popover]:popover-open') !== null
}

/** Whether letters are no shortcuts of the page, because somebody types them or presses them in what lies above it. */
export function ignoresLetters(target: EventTarget | null): boolean {
  return (
    isPageCovered() ||
    (target instanceof HTMLElement &&
      (target.isContentEditable || target.matches('input:not([type=radio],[type=checkbox]), textarea, select')))
  )
}

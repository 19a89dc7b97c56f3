let region: HTMLElement | undefined

/** Announces a message to screen readers when they pause. A repeated message is announced again. */
export function announce(message: string): void {
  region ??= createRegion()
  // Screen readers notice only a changed text: a no-break space makes a repeated message different.
  region.textContent = region.textContent === message ? `${message}\u00a0` : message
}

function createRegion(): HTMLElement {
  const element = document.createElement('div')
  element.setAttribute('role', 'status')
  element.className = 'sr-only'
  document.body.append(element)
  return element
}

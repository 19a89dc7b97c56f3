let region: HTMLElement | undefined

/** Says something to screen readers, politely. The same words twice are said twice. */
export function announce(message: string): void {
  region ??= createRegion()
  // Readers notice a change of text only: a no-break space tells two equal messages apart.
  region.textContent = region.textContent === message ? `${message}\u00a0` : message
}

function createRegion(): HTMLElement {
  const element = document.createElement('div')
  element.setAttribute('role', 'status')
  element.className = 'sr-only'
  document.body.append(element)
  return element
}

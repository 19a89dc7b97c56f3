/** Saves text as a file of the person's. The parts are not joined: that would hold a large text twice. */
export function saveFile(name: string, parts: readonly string[]): void {
  const url = URL.createObjectURL(new Blob([...parts], { type: 'application/json' }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  // The browser reads the blob after this function returns.
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}

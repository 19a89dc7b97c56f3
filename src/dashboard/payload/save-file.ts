/** Saves a file of the person's. To make one blob of a large text at once would block the page for as long as it takes to encode it. */
export function saveFile(name: string, parts: readonly Blob[], type = 'application/json'): void {
  const url = URL.createObjectURL(new Blob([...parts], { type }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  // The browser reads the blob after this function returns.
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}

/** A random id as lower-case hex digits. crypto.randomUUID is missing where the page came over plain http from another host. */
export function randomHex(byteCount: number): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(byteCount)), (byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** A UUID of version 4. */
export function randomUuid(): string {
  return randomHex(16).replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12})$/, '$1-$2-4$3-a$4-$5')
}

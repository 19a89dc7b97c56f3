/** A random id as lower-case hex digits. crypto.randomUUID is missing where the page came over plain http from another host. */
export function randomHex(byteCount: number): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(byteCount)), (byte) => byte.toString(16).padStart(2, '0')).join('')
}

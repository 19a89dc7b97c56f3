/** A call that nobody has sent yet. */
export type SampleCall = { id: string; traceId: string }

export function newSampleCall(): SampleCall {
  return { id: randomHex(8), traceId: randomHex(16) }
}

// crypto.randomUUID is missing where the page came over plain http from another host.
function randomHex(byteCount: number): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(byteCount)), (byte) => byte.toString(16).padStart(2, '0')).join('')
}

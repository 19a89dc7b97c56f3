import { MessageChannel, type MessagePort } from 'node:worker_threads'

const closedPort = createClosedPort()

/**
 * Gives the memory of a buffer back at once; nothing may use it any more. Otherwise it waits for the garbage collector, and V8
 * stops the event loop for a full collection whenever some ten megabytes of buffers have come. What is moved to a closed port is
 * deleted there; `ArrayBuffer.transfer`, which is made for this, needs Node 22. A view of a part of a buffer is left alone,
 * because others may use the rest.
 */
export function freeBuffer(view: Uint8Array): void {
  const { buffer } = view
  if (buffer instanceof ArrayBuffer && view.byteLength === buffer.byteLength) closedPort.postMessage(null, [buffer])
}

function createClosedPort(): MessagePort {
  const { port1, port2 } = new MessageChannel()
  port2.close()
  port1.close()
  return port1
}

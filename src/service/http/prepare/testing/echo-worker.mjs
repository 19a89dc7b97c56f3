// A worker thread as `servePreparations` makes it, without a build. Its jobs do what their names say.
import { parentPort, threadId } from 'node:worker_threads'

const jobs = new Map()
const bodies = new Map()

function* count(body, context) {
  for (let index = 0; index < context.parts; index += 1) yield { index, bytes: new Uint8Array([index]) }
  return { threadId, length: body.length }
}

function* wait(_, { ms }) {
  yield* []
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)
  return { threadId }
}

const preparations = { count, wait }

parentPort.on('message', ({ type, id, name, part, context }) => {
  if (type === 'body') {
    bodies.set(id, [...(bodies.get(id) ?? []), part])
    return
  }
  if (type === 'cancel') {
    jobs.delete(id)
    bodies.delete(id)
    return
  }
  if (name === 'crash') process.exit(7)
  if (name === 'refuse') {
    const error = { kind: 'invalid', problems: [{ loc: ['body'], msg: 'No.', type: 'value_error' }], headers: {} }
    parentPort.postMessage({ id, type: 'error', error }, [])
    return
  }
  if (type === 'start') jobs.set(id, preparations[name](Buffer.concat(bodies.get(id)), context))
  const { done, value } = jobs.get(id).next()
  parentPort.postMessage({ id, type: 'step', done, value }, [])
})

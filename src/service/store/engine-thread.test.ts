import { expect, test, vi } from 'vitest'
import { EngineThread } from './engine-thread'

/** A thread that replies to `open` and `end`, and ends itself where it is to run a statement. */
const workerUrl = new URL(
  `data:text/javascript,${encodeURIComponent(`
import { parentPort } from 'node:worker_threads'
parentPort.on('message', ({ type, id, statement }) => {
  if (type === 'stream') return
  if (statement === 'EXIT') process.exit(3)
  if (statement === 'THROW') throw new Error('a defect')
  if (statement === 'FAIL') parentPort.postMessage({ id, error: { message: 'Code: 47. DB::Exception: It fails.', code: 'CHDB' } })
  else parentPort.postMessage({ id, chunk: type === 'collect' ? new Uint8Array([1]) : undefined })
  if (type === 'end') parentPort.close()
})`)}`,
)
const files = { storeFolder: '/nowhere', configPath: '/nowhere' }

test('a session sends its statements to the thread and gets their results, or the error of the engine', async () => {
  const onCrash = vi.fn()
  const engine = new EngineThread(files, { workerUrl, onCrash })
  const session = await engine.openSession()
  await session.run('SELECT 1')
  expect(await session.collect('SELECT 1', {})).toEqual(new Uint8Array([1]))
  await expect(session.run('FAIL')).rejects.toMatchObject({ name: 'EngineError', code: 'CHDB', message: /^Code: 47/ })
  session.close()
  expect(session.isOpen).toBe(false)
  await engine.end()
  expect(onCrash).not.toHaveBeenCalled()
})

test.each(['EXIT', 'THROW'])(
  'where the thread ends by itself, all statements fail as unavailable, and its owner is told: %s',
  async (statement) => {
    const onCrash = vi.fn()
    const engine = new EngineThread(files, { workerUrl, onCrash })
    const session = await engine.openSession()
    const unavailable = { name: 'StoreError', kind: 'unavailable', message: expect.stringContaining('has ended') as string }
    const running = expect(session.stream('SELECT 1', {})).rejects.toMatchObject(unavailable)
    await expect(session.run(statement)).rejects.toMatchObject(unavailable)
    await running
    await expect(session.run('SELECT 1')).rejects.toMatchObject(unavailable)
    await expect(engine.openSession()).rejects.toMatchObject(unavailable)
    expect(onCrash).toHaveBeenCalledExactlyOnceWith(expect.objectContaining(unavailable))
    await engine.end()
  },
)

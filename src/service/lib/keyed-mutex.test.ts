import { setTimeout as wait } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { KeyedMutex } from './keyed-mutex'

test('tasks of one key run one after another', async () => {
  const mutex = new KeyedMutex()
  const log: string[] = []
  const task = (name: string) => async () => {
    log.push(`${name} begins`)
    await wait(5)
    log.push(`${name} ends`)
    return name
  }
  expect(await Promise.all([mutex.run('key', task('a')), mutex.run('key', task('b'))])).toEqual(['a', 'b'])
  expect(log).toEqual(['a begins', 'a ends', 'b begins', 'b ends'])
})

test('tasks of different keys run at the same time', async () => {
  const mutex = new KeyedMutex()
  let release = () => {}
  const blocked = mutex.run('a', () => new Promise<void>((resolve) => (release = resolve)))
  expect(await mutex.run('b', () => Promise.resolve('done'))).toBe('done')
  release()
  await blocked
})

test('a failure reaches its own caller and does not stop the next task', async () => {
  const mutex = new KeyedMutex()
  const failed = mutex.run('key', () => Promise.reject(new Error('no')))
  const next = mutex.run('key', () => Promise.resolve('yes'))
  await expect(failed).rejects.toThrow('no')
  expect(await next).toBe('yes')
})

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { build } from 'vite'
import * as z from 'zod/mini'
import { openStore } from '../store/open-store'
import { listThreads } from '../threads/list-threads'
import { TurnDeriver } from '../derive/turn-deriver'
import { recoverDerived } from '../derive/recover-derived'
import { rebuildDerived } from '../derive/rebuild-derived'
import { silentLogger } from '../testing/silent-logger'

const root = resolve(import.meta.dirname, '../../..')
const folder = mkdtempSync(join(tmpdir(), 'spool-crash-'))
// Below node_modules, so that the built file finds the packages it imports.
const built = mkdtempSync(join(root, 'node_modules', '.spool-crash-'))

beforeAll(async () => {
  await build({
    configFile: false,
    root,
    logLevel: 'silent',
    build: {
      ssr: fileURLToPath(new URL('./testing/writing-process.ts', import.meta.url)),
      outDir: built,
      target: 'node20',
      rollupOptions: { output: { entryFileNames: 'writing-process.mjs' } },
    },
  })
})

afterAll(() => {
  rmSync(folder, { recursive: true, force: true })
  rmSync(built, { recursive: true, force: true })
})

/** Starts a writing process; `until` resolves when it has had that many writes acknowledged, `kill` ends it and answers with their ids. */
function startWriting(prefix: string) {
  const child = spawn(process.execPath, [join(built, 'writing-process.mjs'), folder, prefix], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let printed = ''
  let check = () => {}
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    printed += text
    check()
  })
  const acknowledged = () => printed.split('\n').slice(0, -1)
  return {
    until: (count: number) =>
      new Promise<void>((enough, tooEarly) => {
        check = () => void (acknowledged().length >= count && enough())
        child.once('exit', () => tooEarly(new Error('the writing process ended by itself')))
        check()
      }),
    kill: async () => {
      const closed = once(child, 'close')
      child.kill('SIGKILL')
      await closed
      return acknowledged()
    },
  }
}

test('a folder that another process writes to is refused in one sentence, and the writer is not disturbed', async () => {
  const writing = startWriting('lock')
  await writing.until(20)
  await expect(openStore({ folder }, rebuildDerived)).rejects.toThrow(`The data folder ${folder} is in use by another Spool`)
  await writing.until(60)
  await writing.kill()
})

test('not one acknowledged write is missing after kill -9, round after round', async () => {
  const acknowledged = new Set<string>()
  for (let round = 0; round < 3; round += 1) {
    const writing = startWriting(`round${round}`)
    await writing.until(150 + round * 97)
    for (const id of await writing.kill()) acknowledged.add(id)
  }
  const store = await openStore({ folder }, rebuildDerived)
  const summary = new TurnDeriver({ store, logger: silentLogger })
  await recoverDerived(store, summary)
  const Stored = z.object({ id: z.string(), is_finished: z.number() })
  const sql = (table: string) =>
    `SELECT id, toUInt8(ended_at IS NOT NULL) AS is_finished FROM ${table} FINAL WHERE project_id = 'crash/p'`
  for (const table of ['calls', 'turns']) {
    const stored = new Map((await store.query(sql(table), {}, Stored)).map((row) => [row.id, row.is_finished]))
    const missing = [...acknowledged].filter((id) => !stored.has(id) || (/[02468]$/.test(id) && stored.get(id) !== 1))
    expect({ table, missing }).toEqual({ table, missing: [] })
  }
  let turnCount = 0
  for await (const batch of listThreads(store, { project_id: 'crash/p' }))
    for (const thread of batch) turnCount += thread.turn_count
  const [turns] = await store.query(
    "SELECT toUInt32(count()) AS count FROM turns FINAL WHERE project_id = 'crash/p'",
    {},
    z.object({ count: z.number() }),
  )
  expect(turnCount).toBe(turns?.count)
  expect(acknowledged.size).toBeGreaterThan(600)
  await store.close()
})

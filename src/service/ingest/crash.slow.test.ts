import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { build } from 'vite'
import * as z from 'zod/mini'
import { openStore } from '../store/open-store'
import { listThreads } from '../threads/list-threads'
import { patientTimes } from '../derive/testing/patient-times'
import { TurnDeriver } from '../derive/turn-deriver'
import { openInsertClock } from '../derive/watermark'
import { recoverDerived } from '../derive/recover-derived'
import { rebuildDerived } from '../derive/rebuild-derived'
import { CallWriter } from './call-writer'
import { CallJournal } from './journal/call-journal'
import { JournaledWriter } from './journaled-writer'
import { identifier, sql } from '../store/sql'
import { silentLogger } from '../testing/silent-logger'

const root = join(import.meta.dirname, '../../..')
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

/** Starts a writing process. `waitForWrites` resolves after so many acknowledged writes; `kill` returns the ids of all. */
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
    waitForWrites: (count: number) =>
      new Promise<void>((resolve, reject) => {
        check = () => void (acknowledged().length >= count && resolve())
        child.once('exit', () => reject(new Error('the writing process ended by itself')))
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

test('opening a folder that another process uses fails with a clear error and does not disturb that process', async () => {
  const writing = startWriting('lock')
  await writing.waitForWrites(20)
  await expect(openStore({ folder }, rebuildDerived)).rejects.toThrow(`The data folder ${folder} is in use by another Spool`)
  await writing.waitForWrites(60)
  await writing.kill()
})

test('no acknowledged write is lost by kill -9', async () => {
  const acknowledged = new Set<string>()
  for (let round = 0; round < 3; round += 1) {
    const writing = startWriting(`round${round}`)
    await writing.waitForWrites(150 + round * 97)
    for (const id of await writing.kill()) acknowledged.add(id)
  }
  const store = await openStore({ folder }, rebuildDerived)
  const deriver = new TurnDeriver({
    store,
    insertClock: await openInsertClock(store, () => Date.now()),
    logger: silentLogger,
    times: patientTimes,
  })
  const journal = await CallJournal.open(join(folder, 'journal'), silentLogger)
  const writer = new JournaledWriter({ store, writer: new CallWriter(store, deriver), journal, logger: silentLogger })
  writer.replay()
  await writer.settle('crash/p')
  await recoverDerived(store, deriver)
  const Stored = z.object({ id: z.string(), is_finished: z.number() })
  for (const table of ['calls', 'turns']) {
    const rows = await store.query(
      sql`SELECT id, toUInt8(ended_at IS NOT NULL) AS is_finished FROM ${identifier(table)} FINAL WHERE project_id = 'crash/p'`,
      Stored,
    )
    const isFinishedById = new Map(rows.map((row) => [row.id, row.is_finished]))
    // The writing process ends the calls with even numbers.
    const missing = [...acknowledged].filter(
      (id) => !isFinishedById.has(id) || (/[02468]$/.test(id) && isFinishedById.get(id) !== 1),
    )
    expect({ table, missing }).toEqual({ table, missing: [] })
  }
  let turnCount = 0
  for await (const batch of listThreads(store, { project_id: 'crash/p' }))
    for (const thread of batch) turnCount += thread.turn_count
  const [turns] = await store.query(
    sql`SELECT toUInt32(count()) AS count FROM turns FINAL WHERE project_id = 'crash/p'`,
    z.object({ count: z.number() }),
  )
  expect(turnCount).toBe(turns?.count)
  expect(acknowledged.size).toBeGreaterThan(600)
  await writer.close()
  await store.close()
})

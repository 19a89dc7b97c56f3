import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as z from 'zod/mini'
import { serveApp } from '../../../testing/serve-app'
import { sql } from '../../../store/sql'
import { administrator, openTestApp } from '../../../testing/test-app'
import { type ExitCode, runImport } from '../run-import'

const retryLimits = { requestTimeoutMs: 10_000, maxOutageMs: 2000, firstPauseMs: 5 }

const StoredCall = z.object({
  id: z.string(),
  project_id: z.string(),
  op_name: z.string(),
  thread_id: z.string(),
  is_finished: z.number(),
  inputs: z.string(),
  summary: z.string(),
})

/** Starts the real service on a free port. `run` imports files of `folder` into it, within this process. */
export async function openTestImport() {
  const app = await openTestApp()
  const folder = mkdtempSync(join(tmpdir(), 'spool-import-'))
  const { url, requests, intercept, close } = await serveApp(app)
  const environment = {
    SPOOL_DATA: join(folder, 'data'),
    SPOOL_USERNAME: administrator.username,
    SPOOL_PASSWORD: administrator.password,
  }
  let fileCount = 0

  const run = async (parameters: readonly string[], variables: Readonly<Record<string, string>> = {}) => {
    const output = { stdout: '', stderr: '' }
    const code: ExitCode = await runImport({
      parameters: ['--url', url, ...parameters],
      environment: { ...environment, ...variables },
      folder,
      stdout: { write: (text) => (output.stdout += text) },
      stderr: { write: (text) => (output.stderr += text) },
      retryLimits,
      now: () => 0, // No progress lines, however slow the machine is.
    })
    return { code, ...output }
  }
  return {
    app,
    folder,
    url,
    /** The environment of an import into this service. */
    environment,
    /** The paths of all requests so far. */
    requests,
    run,
    /** Answers requests in place of the service, until it is called with undefined. */
    intercept,
    /** Writes a file into `folder` and returns its name. */
    writeFile: (content: string | Uint8Array, name = `file-${(fileCount += 1)}.jsonl`) => {
      writeFileSync(join(folder, name), content)
      return name
    },
    calls: (projectId: string) =>
      app.store.query(
        sql`SELECT id, project_id, op_name, thread_id, toUInt8(ended_at IS NOT NULL) AS is_finished, inputs, summary
         FROM calls FINAL WHERE project_id = ${projectId} ORDER BY id`,
        StoredCall,
      ),
    close: async () => {
      close()
      await app.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

export type TestImport = Awaited<ReturnType<typeof openTestImport>>

/** Call number `n` as an export has it: ten calls make a turn, and every seventh call is running. */
export function createExportedCall(n: number, projectId = 'acme/exported') {
  const turn = Math.floor(n / 10) * 10
  return {
    id: toCallId(n),
    project_id: projectId,
    op_name: 'answer',
    display_name: null,
    trace_id: toCallId(turn).repeat(2),
    parent_id: n === turn ? null : toCallId(turn),
    thread_id: `thread-${Math.floor(n / 50)}`,
    turn_id: toCallId(turn),
    started_at: new Date(Date.UTC(2026, 0, 1, 0, 0, turn, n - turn)).toISOString(),
    ended_at: n % 7 === 3 ? null : new Date(Date.UTC(2026, 0, 1, 0, 0, turn + 1)).toISOString(),
    exception: null,
    attributes: {},
    inputs: { question: `Where is order ${n}?` },
    output: n % 7 === 3 ? null : { answer: 'On its way — 🧵' },
    summary: {
      usage: { 'gpt-4o': { prompt_tokens: 10, completion_tokens: 3 } },
      weave: { status: 'success', latency_ms: 1000, trace_name: 'answer' },
    },
    wb_user_id: 'somebody',
    deleted_at: null,
  }
}

export function toCallId(n: number): string {
  return n.toString(16).padStart(16, '0')
}

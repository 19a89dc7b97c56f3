import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

// From the project's root, where npm runs every script: the bench is bundled and does not know its own place.
const launcher = join(process.cwd(), 'src/service/cli/spool.mjs')

/** A Spool as a person starts it: its own process, its own data folder, a free port. */
export class SpoolService {
  private constructor(
    /** Of the launcher; the service is its child. */
    readonly child: ChildProcess,
    readonly url: string,
    /** Everything it wrote on standard output up to the ready line. */
    readonly greeting: string,
    private readonly temporaryFolder: string | undefined,
  ) {}

  /** Starts one and waits until it says that it serves. Without `SPOOL_DATA` it gets a folder that goes away with it. */
  static async start(environment: Readonly<Record<string, string>> = {}): Promise<SpoolService> {
    const temporaryFolder = environment['SPOOL_DATA'] ? undefined : mkdtempSync(join(tmpdir(), 'spool-e2e-'))
    const child = spawn(process.execPath, [launcher], {
      env: { ...process.env, SPOOL_PORT: '0', ...(temporaryFolder && { SPOOL_DATA: temporaryFolder }), ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let errors = ''
    child.stderr.on('data', (chunk: Buffer) => {
      errors = (errors + chunk.toString()).slice(-4000)
    })
    const lines: string[] = []
    for await (const line of createInterface({ input: child.stdout })) {
      lines.push(line)
      const url = /^Spool is ready: (http\S+)/.exec(line)?.[1]
      if (url) return new SpoolService(child, url, lines.join('\n'), temporaryFolder)
    }
    throw new Error(`Spool did not start.\n${lines.join('\n')}\n${errors}`)
  }

  /** Of the launcher; the service is its child. */
  get processId(): number {
    return this.child.pid ?? 0
  }

  /** Asks it to end and answers its exit code. */
  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<number | null> {
    if (this.child.exitCode === null && this.child.signalCode === null) {
      const exited = once(this.child, 'exit')
      this.child.kill(signal)
      await exited
    }
    if (this.temporaryFolder) rmSync(this.temporaryFolder, { recursive: true, force: true })
    return this.child.exitCode
  }
}

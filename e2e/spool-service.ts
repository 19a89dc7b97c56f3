import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

// Relative to the project root, where npm runs every script: the bench is bundled and does not know its own folder.
const launcher = 'src/service/cli/spool.mjs'

/** A crash of the engine prints some kilobytes. */
const maxErrorCharacters = 32_000

/** Spool as a user starts it: in its own process, with its own data folder, on a free port. */
export class SpoolService {
  private constructor(
    /** The launcher; the service is its child. */
    readonly child: ChildProcess,
    readonly url: string,
    /** What it wrote to standard output, up to the ready line. */
    private readonly greeting: string,
    /** The end of what it wrote to standard error. */
    readonly readErrors: () => string,
    private readonly temporaryFolder: string | undefined,
  ) {}

  /**
   * Starts the command `spool` of a checkout and waits for its ready line. Without `SPOOL_DATA` its folder is deleted with
   * it. `identity`: the account that it runs as, which only root can choose.
   */
  static async start(
    environment: Readonly<Record<string, string>> = {},
    command: 'start' | 'dev' = 'start',
    checkout = process.cwd(),
    identity: { uid?: number; gid?: number } = {},
  ): Promise<SpoolService> {
    const temporaryFolder = environment['SPOOL_DATA'] ? undefined : mkdtempSync(join(tmpdir(), 'spool-e2e-'))
    const child = spawn(process.execPath, [join(checkout, launcher), command], {
      ...identity,
      env: {
        ...process.env,
        // The launcher chooses the size; the bench has another one for itself.
        UV_THREADPOOL_SIZE: undefined,
        SPOOL_PORT: '0',
        ...(temporaryFolder && { SPOOL_DATA: temporaryFolder }),
        ...environment,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    // A runner whose time is over ends without stopping what it started, and a service that nobody stops slows what follows.
    const stopWithRunner = () => child.kill()
    process.once('exit', stopWithRunner)
    child.once('exit', () => process.off('exit', stopWithRunner))
    let errors = ''
    child.stderr.on('data', (chunk: Buffer) => {
      errors = (errors + chunk.toString()).slice(-maxErrorCharacters)
    })
    const lines: string[] = []
    for await (const line of createInterface({ input: child.stdout })) {
      lines.push(line)
      const url = /^Spool is ready: (http\S+)/.exec(line)?.[1]
      if (url) return new SpoolService(child, url, lines.join('\n'), () => errors, temporaryFolder)
    }
    throw new Error(`Spool did not start.\n${lines.join('\n')}\n${errors}`)
  }

  /** Signs in as the administrator, once. */
  get signInLink(): string {
    const link = /http\S+#code=\S+/.exec(this.greeting)?.[0]
    if (link === undefined) throw new Error(`Spool printed no sign-in link.\n${this.greeting}`)
    return link
  }

  /** The process id of the launcher; the service is its child. */
  get processId(): number {
    return this.child.pid ?? 0
  }

  get isRunning(): boolean {
    return this.child.exitCode === null && this.child.signalCode === null
  }

  /** How it ended, for a person. The launcher names the signal that ended the service among the last lines. */
  describeEnd(): string {
    const end = this.child.signalCode ? `by ${this.child.signalCode}` : `with exit code ${this.child.exitCode}`
    return `Spool ended ${end}. It last wrote to standard error:\n${this.readErrors().trim() || '(nothing)'}`
  }

  /** Stops it and returns its exit code. */
  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<number | null> {
    if (this.isRunning) {
      const exited = once(this.child, 'exit')
      this.child.kill(signal)
      await exited
    }
    if (this.temporaryFolder) rmSync(this.temporaryFolder, { recursive: true, force: true })
    return this.child.exitCode
  }
}

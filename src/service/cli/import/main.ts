import { runImport } from './run-import'

const stop = new AbortController()
let signalCode: number | undefined
let askedAt = 0
/** One interrupt at a terminal may arrive twice, from there and handed on by npm. */
const sameInterruptMs = 500

for (const [signal, code] of [
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const) {
  process.on(signal, () => {
    // Whoever asks twice does not want to wait for what is under way.
    if (signalCode !== undefined && performance.now() - askedAt > sameInterruptMs) process.exit(code)
    if (signalCode !== undefined) return
    signalCode = code
    askedAt = performance.now()
    process.stderr.write('\nStopping when what is under way is answered. Once more leaves at once.\n')
    stop.abort()
  })
}

// npm runs its scripts in the package's folder and says where the person is.
const folder = process.env['npm_lifecycle_event'] === 'import' ? process.env['INIT_CWD'] : undefined

async function run(): Promise<void> {
  const code = await runImport({
    parameters: process.argv.slice(2),
    environment: process.env,
    folder: folder ?? process.cwd(),
    stdout: process.stdout,
    stderr: process.stderr,
    stopping: stop.signal,
  })
  leave(signalCode ?? code)
}

/** Not left to the event loop: after a failure other requests may still be waiting for an answer. */
function leave(code: number): void {
  process.stdout.write('', () => process.stderr.write('', () => process.exit(code)))
}

run().catch((error: unknown) => {
  console.error('The import failed where it should not have.', error)
  leave(1)
})

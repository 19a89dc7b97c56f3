import { runImport } from './run-import'

let isStopping = false
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    // npm forwards the signals that the terminal sends, so they arrive twice.
    if (isStopping) return
    isStopping = true
    // On a terminal the status line stays above.
    const text = 'The import was stopped. Run the same command again to store the rest: nothing is stored twice.\n'
    process.stderr.write(process.stderr.isTTY ? `\n${text}` : text, () => process.exit(1))
  })
}

// npm runs its scripts in the folder of the package, and names the user's folder in INIT_CWD.
const folder = process.env['npm_lifecycle_event'] === 'import' ? process.env['INIT_CWD'] : undefined

async function run(): Promise<void> {
  const exitCode = await runImport({
    parameters: process.argv.slice(2),
    environment: process.env,
    folder: folder ?? process.cwd(),
    stdout: process.stdout,
    stderr: process.stderr,
  })
  exit(exitCode)
}

/** Exits after everything is written. After a failure other requests may still be open and would keep the process running. */
function exit(code: number): void {
  process.stdout.write('', () => process.stderr.write('', () => process.exit(code)))
}

run().catch((error: unknown) => {
  console.error('The import failed because of a mistake in Spool.', error)
  exit(1)
})

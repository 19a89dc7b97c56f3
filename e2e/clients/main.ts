import { cpus, tmpdir } from 'node:os'
import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { SpoolClient } from '../spool-client'
import { SpoolService } from '../spool-service'
import { checkClient } from './check-client'
import { type Client, type Language, aspects } from './client'
import { type ClientResult, formatNotes, formatTable, toCells } from './format-results'
import { javascript } from './javascript'
import { openModelEndpoints } from './model-endpoints/model-endpoints'
import { python } from './python'
import { recordExports } from './record-exports'
import { runProcess } from './run-process'
import { toEnvironment } from './to-environment'

const help = `npm run test:clients [-- <part of a name> ...] [--record <folder>]
Runs unmodified client programs against the built service and a local double of the model endpoints, and compares what Spool
returns with what the model endpoints served. Without a name: all. --record also writes what the clients export, as OTLP JSON.
Where a language or its packages cannot be installed, its clients are skipped; with --no-skip that is a failure.`

const languages: readonly Language[] = [javascript, python]

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    help: { type: 'boolean', default: false },
    record: { type: 'string' },
    'no-skip': { type: 'boolean', default: false },
  },
})
if (values.help) {
  console.log(help)
  process.exit(0)
}
const isWanted = ({ name }: Client) => positionals.length === 0 || positionals.some((part) => name.includes(part))

/** Prints how long the work took. */
async function timed<Result>(name: string, run: () => Promise<Result>): Promise<Result> {
  const startMs = performance.now()
  const result = await run()
  console.log(`${name}, ${((performance.now() - startMs) / 1000).toFixed(1)} s`)
  return result
}

const folder = mkdtempSync(join(tmpdir(), 'spool-clients-'))
const credentials = { SPOOL_USERNAME: 'tester', SPOOL_PASSWORD: 'clients-password' }
const results: ClientResult[] = []
const skipped: string[] = []

const service = await SpoolService.start({ ...credentials, SPOOL_SAMPLE: 'off', SPOOL_DATA: join(folder, 'data') })
const endpoints = await openModelEndpoints()
const recorder = values.record === undefined ? undefined : await recordExports(service.url, values.record)
try {
  const spool = new SpoolClient(service.url, credentials.SPOOL_USERNAME, credentials.SPOOL_PASSWORD)

  const runClient = async (language: Language, client: Client): Promise<ClientResult> => {
    const project = `clients/${client.name}`
    const environment = toEnvironment({
      spoolUrl: recorder?.url ?? service.url,
      password: credentials.SPOOL_PASSWORD,
      project,
      modelUrl: `${endpoints.url}/${client.name}`,
      folder,
    })
    const { code, output } = await runProcess(language.toCommand(client), environment)
    const failure = code === 0 ? undefined : `The program ended with ${String(code)}: ${output}`
    const findings = await checkClient(client, project, endpoints.servedTo(client.name), spool)
    return { client, language: language.name, cells: toCells(client, findings, failure) }
  }

  const wantedLanguages = languages.filter(({ clients }) => clients.some(isWanted))
  // All languages install at once: most of that time is waiting for the network.
  const installations = wantedLanguages.map((language) => {
    console.log(`${language.name}: installing`)
    return { language, installed: timed(`${language.name}: installed`, () => language.install()) }
  })
  for (const { language, installed } of installations) {
    const wanted = language.clients.filter(isWanted)
    const reason = await installed
    if (reason !== undefined) {
      skipped.push(`${language.name}, ${wanted.length} clients: ${reason}`)
      continue
    }
    const waiting = [...wanted]
    const work = async () => {
      for (let client = waiting.shift(); client; client = waiting.shift()) {
        const current = client
        results.push(await timed(`${language.name}: ${client.name}`, () => runClient(language, current)))
      }
    }
    await Promise.all(cpus().map(work))
  }
} finally {
  await recorder?.close()
  await endpoints.close()
  await service.stop()
  rmSync(folder, { recursive: true, force: true })
}

const rows = results.toSorted((left, right) => (left.client.name < right.client.name ? -1 : 1))
const cells = rows.flatMap((row) => aspects.map((aspect) => row.cells[aspect]))
const failedCount = cells.filter(({ mark }) => mark === 'LOST').length
const passedCount = cells.filter(({ mark }) => mark === 'ok' || mark === 'part').length
console.log(`\n${formatTable(rows)}\n\n${formatNotes(rows)}`)
for (const each of skipped) console.log(`Skipped: ${each}`)
console.log(`\n${passedCount} passed, ${failedCount} failed`)
const isIncomplete = passedCount === 0 || (values['no-skip'] && skipped.length > 0)
process.exitCode = failedCount > 0 || isIncomplete ? 1 : 0

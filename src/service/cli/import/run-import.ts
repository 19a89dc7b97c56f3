import { type FileHandle, open } from 'node:fs/promises'
import { StartError } from '../../lib/start-error'
import { readSettings } from '../../settings'
import { addResult, createResult } from './batch-result'
import { readCsvPrices } from '../../../contract/price-files/csv-prices'
import { type DetectedFormat, detectFormat } from './detect-format'
import { findServer } from './find-server'
import { ImportError } from './import-error'
import { importLines } from './import-lines'
import { help, type ImportOptions, readOptions } from './import-options'
import { type InputFile, openInputFile, readLines, readWholeFile } from './input-file'
import { readLitellmPrices } from '../../../contract/price-files/litellm-prices'
import { maxPrintedLines, RefusedLines } from './refused-lines'
import { sendCalls } from './send-calls'
import { sendTraces, splitTraceDocument } from './send-traces'
import { type RetryLimits, ServiceClient } from './service-client'
import { storePrices } from './store-prices'
import { type OutputStream, Terminal, toPrintable } from './terminal'

/** 0: everything is stored. 1: the import could not continue. 2: some lines are refused. */
export type ExitCode = 0 | 1 | 2

export type ImportContext = {
  /** What follows `spool import`. */
  parameters: readonly string[]
  environment: Readonly<Record<string, string | undefined>>
  /** Relative file names start here. */
  folder: string
  stdout: OutputStream
  stderr: OutputStream
  retryLimits?: RetryLimits
  /** The clock of the progress lines. */
  now?: () => number
}

/** Runs the command `spool import`, with everything it prints. */
export async function runImport(context: ImportContext): Promise<ExitCode> {
  const terminal = new Terminal(context.stderr, context.now)
  try {
    const options = readOptions(context.parameters, context.folder)
    if (options) return await importFiles(options, context, terminal)
    context.stdout.write(`${help}\n`)
    return 0
  } catch (error) {
    if (!(error instanceof ImportError || error instanceof StartError)) throw error
    terminal.clearStatus()
    terminal.print(`The import cannot continue: ${error.message}`)
    return 1
  }
}

async function importFiles(options: ImportOptions, context: ImportContext, terminal: Terminal): Promise<ExitCode> {
  const settings = readSettings(addUsername(context.environment))
  const server = await findServer(settings, options.url)
  const client = new ServiceClient(server, (reason) => terminal.showStatus(`Waiting: ${reason}`), context.retryLimits)
  // All files are checked before anything is sent.
  const inputs: { file: InputFile; detected: DetectedFormat | undefined }[] = []
  for (const { name, path } of options.files) {
    const file = await openInputFile(name, path)
    const detected = await detectFormat(file, options.format)
    if (detected) checkProject(file.name, detected, options.project)
    inputs.push({ file, detected })
  }
  const report = options.reportPath === undefined ? undefined : await openReport(options.reportPath)
  let exitCode: ExitCode = 0
  try {
    for (const { file, detected } of inputs) {
      const refused = new RefusedLines(file.name, terminal, report)
      const job = { file, client, terminal, refused, project: options.project }
      const summary = detected ? await importFile(job, detected) : [`${file.name}: the file is empty.`]
      if (refused.count > 0) exitCode = 2
      terminal.clearStatus()
      for (const line of summary) context.stdout.write(`${toPrintable(line)}\n`)
      if (refused.count > maxPrintedLines && !report) {
        context.stdout.write(`  The first ${maxPrintedLines} are shown. --report <file> writes all of them to a file.\n`)
      }
    }
  } finally {
    await report?.close()
  }
  return exitCode
}

/** A password alone identifies its user, under the name that Weave's clients use. */
function addUsername(environment: ImportContext['environment']): ImportContext['environment'] {
  const { SPOOL_USERNAME: username, SPOOL_PASSWORD: password } = environment
  return password && !username ? { ...environment, SPOOL_USERNAME: 'api' } : environment
}

function checkProject(fileName: string, { format }: DetectedFormat, project: string | undefined): void {
  if (project === undefined && format !== 'calls' && format !== 'traces') {
    throw new ImportError(`${fileName}: Prices belong to a project. Name it with --project <entity>/<project>.`)
  }
  if (project !== undefined && format === 'traces' && !/^[\x20-\x7e]+$/.test(project)) {
    throw new ImportError(`${fileName}: --project must be ASCII for traces, because it is sent in a header.`)
  }
}

async function openReport(path: string): Promise<FileHandle> {
  try {
    return await open(path, 'w', 0o600)
  } catch (error) {
    throw new ImportError(`--report: ${error instanceof Error ? error.message : String(error)}.`)
  }
}

type ImportJob = {
  file: InputFile
  client: ServiceClient
  terminal: Terminal
  refused: RefusedLines
  project: string | undefined
}

/** Imports one file and returns its summary. */
async function importFile(job: ImportJob, { format, isDocument }: DetectedFormat): Promise<string[]> {
  if (format === 'litellm-prices' || format === 'csv-prices') return await importPrices(job, format)
  const { file, client, terminal, refused, project } = job
  const [unit, send] = format === 'calls' ? (['calls', sendCalls] as const) : (['spans', sendTraces] as const)
  const startedAt = performance.now()
  let bytesRead = 0
  const lines = isDocument ? splitTraceDocument(await readWholeFile(file)) : readLines(file, (bytes) => (bytesRead = bytes))
  const total = createResult()
  for await (const { stored, skipped, problems } of importLines(lines, (batch) => send(batch, client, project))) {
    await refused.add(problems)
    addResult(total, createResult({ stored, skipped }))
    const percent = isDocument ? '' : `${Math.floor((100 * bytesRead) / file.size)} %, `
    terminal.showStatus(
      `${file.name}: ${percent}${formatCount(total.stored, unit)} stored, ${formatCount(refused.count, 'lines')} refused`,
    )
  }
  const seconds = Math.ceil((performance.now() - startedAt) / 1000)
  const namesNoProject = format === 'traces' && project === undefined && total.stored === 0 && refused.count > 0
  return [
    `${file.name}: ${formatCount(total.stored, unit)} stored in ${formatNumber(seconds)} s.`,
    ...formatRefused(refused),
    ...formatSkipped(total.skipped),
    ...(namesNoProject ? ['  Spans that name no project need --project <entity>/<project>.'] : []),
  ]
}

async function importPrices({ file, client, refused, project }: ImportJob, format: 'litellm-prices' | 'csv-prices') {
  if (project === undefined) throw new Error('Prices without a project must be refused before')
  const text = await readWholeFile(file)
  const { prices, problems, skipped, losses = [] } = format === 'csv-prices' ? readCsvPrices(text) : readLitellmPrices(text)
  await refused.add(problems)
  if (problems.length > 0) return [`${file.name}: nothing stored.`, ...formatRefused(refused), ...formatSkipped(skipped)]
  const { stored, alreadyStored } = await storePrices(prices, project, client)
  const already = alreadyStored > 0 ? `, ${formatNumber(alreadyStored)} already stored` : ''
  return [
    `${file.name}: ${formatCount(stored, 'prices')} stored in ${project}${already}.`,
    ...formatSkipped(skipped),
    ...losses.map((loss) => `  ${loss}`),
  ]
}

function formatRefused({ count }: RefusedLines): string[] {
  return count > 0 ? [`  ${formatCount(count, 'lines')} refused.`] : []
}

function formatSkipped(skipped: Readonly<Record<string, number>>): string[] {
  return Object.entries(skipped).map(([reason, count]) => `  Skipped: ${reason} (${formatNumber(count)}).`)
}

/** 1 call, 12,345 calls */
function formatCount(count: number, plural: string): string {
  return count === 1 ? `1 ${plural.replace(/s$/, '')}` : `${formatNumber(count)} ${plural}`
}

function formatNumber(value: number): string {
  return value.toLocaleString('en-US')
}

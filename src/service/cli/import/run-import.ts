import { resolve } from 'node:path'
import { readSettings } from '../../settings'
import { StartError } from '../../lib/start-error'
import { type ImportPlace, placeOf } from './checkpoint'
import { findDestination } from './destination'
import { ImportError, StoppedError } from './import-error'
import { importLines } from './import-lines'
import { lockImport } from './import-lock'
import { type ImportOptions, readOptions, usage } from './import-options'
import { importPriceFile } from './import-price-file'
import { importTraces } from './otlp-traces'
import { type Recognised, recognise } from './recognise'
import { printable, Screen, type TextStream } from './screen'
import { type Patience, Sender } from './sender'
import { openSourceFile, type SourceFile } from './source-file'
import { summaryOfLines, summaryOfPrices } from './summary'
import { importCalls } from './weave-calls'

/** Everything was stored; it could not go on; some lines were refused. */
export type ExitCode = 0 | 1 | 2

export type ImportProcess = {
  /** What stands behind `spool import`. */
  parameters: readonly string[]
  environment: Readonly<Record<string, string | undefined>>
  /** Where relative names of files begin. */
  folder: string
  stdout: TextStream
  stderr: TextStream
  /** Aborted when the import should end with what is under way. */
  stopping: AbortSignal
  patience?: Patience
}

/** The command `spool import`: resolves to its exit code, and has said everything there is to say. */
export async function runImport(given: ImportProcess): Promise<ExitCode> {
  const screen = new Screen(given.stderr)
  try {
    const options = readOptions(given.parameters, given.folder)
    if (!options) {
      given.stdout.write(`${usage}\n`)
      return 0
    }
    return await importFiles(options, given, screen)
  } catch (error) {
    screen.clear()
    if (error instanceof StoppedError) {
      screen.say('Stopped. Give the same command again: what is stored already is not added twice.')
      return 1
    }
    if (!(error instanceof ImportError || error instanceof StartError)) throw error
    screen.say(`The import cannot go on: ${error.message}`)
    return 1
  }
}

type File = { source: SourceFile; recognised: Recognised | undefined }

async function importFiles(options: ImportOptions, given: ImportProcess, screen: Screen): Promise<ExitCode> {
  const settings = readSettings(withUsername(given.environment))
  const destination = await findDestination(settings, options.url)
  // Every file is looked at before anything of the first is sent.
  const files: File[] = []
  for (const file of options.files) files.push(await lookAt(file, options))
  const dataFolder = resolve(settings.dataFolder)
  const sender = new Sender(destination, given.stopping, (because) => screen.wait(because), given.patience)
  let code: ExitCode = 0
  for (const { source, recognised } of files) {
    if (given.stopping.aborted) return 1
    if (!recognised) {
      say(given, [`${source.name}: empty, nothing to import.`])
      continue
    }
    const place = await placeOf(dataFolder, source, {
      format: recognised.format,
      url: destination.url,
      project: options.project,
    })
    const unlock = await lockImport(place.lock)
    try {
      const problemCount = await importFile(source, recognised, { options, given, screen, sender, place, url: destination.url })
      if (problemCount > 0) code = 2
    } finally {
      await unlock()
    }
  }
  return given.stopping.aborted ? 1 : code
}

/** A password alone identifies its user, under the name that Weave's clients use; it is often all that is exported. */
function withUsername(environment: ImportProcess['environment']): ImportProcess['environment'] {
  const { SPOOL_USERNAME: username, SPOOL_PASSWORD: password } = environment
  return password && !username ? { ...environment, SPOOL_USERNAME: 'api' } : environment
}

async function lookAt({ name, path }: ImportOptions['files'][number], { format, project }: ImportOptions): Promise<File> {
  const source = await openSourceFile(name, path)
  if (source.head.toString('utf8').trim() === '' && source.head.length < 1024) return { source, recognised: undefined }
  try {
    const recognised = recognise(source.head, format)
    if (project === undefined && (recognised.format === 'litellm' || recognised.format === 'prices-csv')) {
      throw new ImportError('Prices belong to a project, which the file does not name. Add --project <entity>/<project>.')
    }
    if (recognised.format === 'otlp' && project !== undefined && !/^[\x20-\x7e]+$/.test(project)) {
      throw new ImportError('The project of traces travels in a header, which holds ASCII only. Name another with --project.')
    }
    return { source, recognised }
  } catch (error) {
    throw error instanceof ImportError ? new ImportError(`${name}: ${error.message}`) : error
  }
}

type Means = { options: ImportOptions; given: ImportProcess; screen: Screen; sender: Sender; place: ImportPlace; url: string }

/** Imports one file, says what became of it, and answers how many of its lines were refused. */
async function importFile(source: SourceFile, { format, isDocument }: Recognised, means: Means): Promise<number> {
  const { options, given, screen, sender, place, url } = means
  const { project, isFresh } = options
  if (format === 'litellm' || format === 'prices-csv') {
    if (project === undefined) throw new Error('Prices without a project were let through')
    const result = await importPriceFile(source, { format, project, place, screen, sender })
    say(given, summaryOfPrices(source.name, project, result, place.problems))
    return result.problemCount
  }
  const unit = format === 'weave' ? 'calls' : 'spans'
  const send = format === 'weave' ? importCalls : importTraces
  const startedAt = performance.now()
  const { stopping } = given
  const result = await importLines({
    source,
    place,
    url,
    project,
    unit,
    isDocument,
    isFresh,
    screen,
    stopping,
    send: (chunk) => send(chunk, sender, project),
  })
  const seconds = (performance.now() - startedAt) / 1000
  say(given, summaryOfLines(source.name, unit, result, { seconds, isStopped: !result.isDone }))
  if (format === 'otlp' && project === undefined && result.stored === 0 && result.problemCount > 0) {
    say(given, ['  Spans that name no project go into the one that --project <entity>/<project> names.'])
  }
  return result.problemCount
}

function say({ stdout }: ImportProcess, lines: readonly string[]): void {
  for (const line of lines) stdout.write(`${printable(line)}\n`)
}

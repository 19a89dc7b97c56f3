import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import * as z from 'zod/mini'
import { ProjectId } from '../../../contract/project-id'
import { ImportError } from './import-error'

export const formats = ['otlp', 'weave', 'litellm', 'prices-csv'] as const
export type Format = (typeof formats)[number]

export const usage = `Usage: spool import <file> [more files] [options]

  --project <entity/project>  where to: needed for prices; overrides what calls and spans say themselves
  --url <address>             the Spool to load into (SPOOL_HOST and SPOOL_PORT otherwise)
  --as <format>               what the files are, where their content does not tell:
                              ${formats.join(', ')}
  --fresh                     begin at the start of a file that was imported before, wholly or in part

Files: OTLP traces as JSON lines, Weave call exports as JSON lines, LiteLLM's model_prices_and_context_window.json,
prices as CSV. Each may be compressed with gzip.
Credentials: SPOOL_USERNAME and SPOOL_PASSWORD, or the administrator in users.json of the data folder (SPOOL_DATA).`

export type ImportOptions = {
  /** As they were given, for messages, and as they are found. */
  files: readonly { name: string; path: string }[]
  project: string | undefined
  url: string | undefined
  format: Format | undefined
  isFresh: boolean
}

/** Reads the command line; undefined where help is asked for. Throws an `ImportError` for what cannot be meant. */
export function readOptions(parameters: readonly string[], folder: string): ImportOptions | undefined {
  const { values, positionals } = parsed(parameters)
  if (values.help) return undefined
  if (positionals.length === 0) throw new ImportError('No file is named. spool import --help shows how it is called.')
  const project = values.project === undefined ? undefined : z.safeParse(ProjectId, values.project)
  if (project && !project.success) throw new ImportError(`--project: ${project.error.issues[0]?.message ?? 'is wrong'}`)
  const format = formats.find((each) => each === values.as)
  if (values.as !== undefined && !format) {
    throw new ImportError(`--as: there is no format '${values.as}'. Supported: ${formats.join(', ')}.`)
  }
  return {
    files: positionals.map((name) => ({ name, path: resolve(folder, name) })),
    project: project?.data,
    url: values.url,
    format,
    isFresh: values.fresh ?? false,
  }
}

function parsed(parameters: readonly string[]) {
  try {
    return parseArgs({
      args: [...parameters],
      allowPositionals: true,
      options: {
        project: { type: 'string' },
        url: { type: 'string' },
        as: { type: 'string' },
        fresh: { type: 'boolean' },
        help: { type: 'boolean', short: 'h' },
      },
    })
  } catch (error) {
    const reason = error instanceof Error ? error.message.split('. ')[0] : String(error)
    throw new ImportError(`${reason}. spool import --help shows how it is called.`)
  }
}

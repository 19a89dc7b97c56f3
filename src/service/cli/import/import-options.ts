import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import * as z from 'zod/mini'
import { ProjectId } from '../../../contract/project-id'
import { ImportError } from './import-error'
import { maxDocumentBytes } from './input-file'

export const formats = ['calls', 'traces', 'litellm-prices', 'csv-prices'] as const
export type Format = (typeof formats)[number]

export const help = `Usage: spool import <file>... [options]

Stores the calls, traces or model prices of files in a running Spool.

Formats; each file may be compressed with gzip:
  calls           calls of Weave or Spool as /calls/stream_query returns them: one JSON object per line
  traces          OTLP traces in JSON: one export request per line, or one JSON document
  litellm-prices  LiteLLM's model_prices_and_context_window.json
  csv-prices      CSV; the first row names the columns: llm_id, prompt_token_cost, completion_token_cost (or
                  prompt_cost_per_million, completion_cost_per_million), and the optional
                  cache_read_input_token_cost, cache_creation_input_token_cost (or cache_read_cost_per_million,
                  cache_creation_cost_per_million), provider_id, effective_date, prompt_token_cost_unit,
                  completion_token_cost_unit; without effective_date a price is for calls from now on

Options:
  --project <entity/project>  store everything in this project; required for prices
  --url <address>             the address of Spool; default: SPOOL_HOST and SPOOL_PORT, else http://127.0.0.1:7766
  --as <format>               the format of all files; default: a name that ends in .csv means csv-prices, otherwise
                              the first JSON value of the file decides
  --report <file>             write every refused line to this file, as JSON lines
  -h, --help                  show this help

A line that cannot be stored is printed as file:line with the reason; all other lines are stored. Prices are stored
only if the whole file is correct. Run the same command again at any time: nothing is stored twice.
Files of JSON lines may have any size, all others up to ${maxDocumentBytes / 1024 / 1024} MiB.

Credentials: SPOOL_USERNAME and SPOOL_PASSWORD; otherwise the administrator in users.json of the data folder (SPOOL_DATA).
Exit code: 0 everything is stored, 2 some lines are refused, 1 the import could not continue.`

export type ImportOptions = {
  /** `name` is what the user typed, for messages. */
  files: readonly { name: string; path: string }[]
  project: string | undefined
  url: string | undefined
  format: Format | undefined
  reportPath: string | undefined
}

/** Reads the command line; undefined where help is asked for. Throws an `ImportError` for a wrong option. */
export function readOptions(parameters: readonly string[], folder: string): ImportOptions | undefined {
  const { values, positionals } = parseParameters(parameters)
  if (values.help) return undefined
  if (positionals.length === 0) throw new ImportError('Name at least one file. See spool import --help.')
  const project = values.project === undefined ? undefined : z.safeParse(ProjectId, values.project)
  if (project && !project.success) throw new ImportError(`--project: ${project.error.issues[0]?.message ?? 'is wrong'}`)
  const format = formats.find((each) => each === values.as)
  if (values.as !== undefined && !format) {
    throw new ImportError(`--as: there is no format '${values.as}'. Supported: ${formats.join(', ')}.`)
  }
  const files = positionals.map((name) => ({ name, path: resolve(folder, name) }))
  const reportPath = values.report === undefined ? undefined : resolve(folder, values.report)
  if (files.some(({ path }) => path === reportPath)) {
    throw new ImportError(`--report: ${values.report} is one of the files to import.`)
  }
  return {
    files,
    project: project?.data,
    url: values.url,
    format,
    reportPath,
  }
}

function parseParameters(parameters: readonly string[]) {
  try {
    return parseArgs({
      args: [...parameters],
      allowPositionals: true,
      options: {
        project: { type: 'string' },
        url: { type: 'string' },
        as: { type: 'string' },
        report: { type: 'string' },
        help: { type: 'boolean', short: 'h' },
      },
    })
  } catch (error) {
    const reason = error instanceof Error ? error.message.split('. ')[0] : String(error)
    throw new ImportError(`${reason}. See spool import --help.`)
  }
}

import type { Findings } from './check-client'
import { type Aspect, type Client, aspects } from './client'

/** `-`: the client does not send it. `LOST`: Spool does not return what the client sent, or the list of clients is wrong. */
type Cell = { mark: 'ok' | '-' | 'LOST'; note?: string }

export type ClientResult = { client: Client; language: string; cells: Readonly<Record<Aspect, Cell>> }

/** `failure`: why the program did not run to its end; then nothing that it sent counts as arrived. */
export function toCells({ notSent = {} }: Client, findings: Findings, failure: string | undefined): ClientResult['cells'] {
  const cells = aspects.map((aspect): [Aspect, Cell] => {
    const finding = aspect === 'arrives' ? (failure ?? findings.arrives) : findings[aspect]
    const reason = notSent[aspect]
    if (reason === undefined) return [aspect, finding === undefined ? { mark: 'ok' } : { mark: 'LOST', note: finding }]
    // A reason that no longer holds would hide a loss later.
    return [
      aspect,
      finding === undefined ? { mark: 'LOST', note: `arrives, though listed: ${reason}` } : { mark: '-', note: reason },
    ]
  })
  return Object.fromEntries(cells) as ClientResult['cells'] // one entry for each aspect
}

export function formatTable(results: readonly ClientResult[]): string {
  const lines = [
    ['client', ...aspects],
    ...results.map(({ client, cells }) => [client.name, ...aspects.map((aspect) => cells[aspect].mark)]),
  ]
  const widths = lines[0]?.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0))) ?? []
  return lines
    .map((line) =>
      line
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

/** The reason of each cell that is not ok. */
export function formatNotes(results: readonly ClientResult[]): string {
  return results
    .flatMap(({ client, cells }) =>
      aspects.flatMap((aspect) => {
        const { mark, note } = cells[aspect]
        return note === undefined ? [] : [`${mark.padEnd(4)} ${client.name}, ${aspect}: ${note}`]
      }),
    )
    .join('\n')
}

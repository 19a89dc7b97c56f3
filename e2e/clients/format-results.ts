import type { Findings } from './check-client'
import { type Aspect, type Client, aspects } from './client'

/**
 * `-`: the client does not send it; `part`: it sends a part, of which nothing is lost. `LOST`: Spool does not return what the
 * client sent, or the list of clients is wrong.
 */
type Cell = { mark: 'ok' | 'part' | '-' | 'LOST'; note?: string }

export type ClientResult = { client: Client; language: string; cells: Readonly<Record<Aspect, Cell>> }

const noneServed = 'the provider counts none'
const markOfShare = { all: 'ok', part: 'part', nothing: '-' } as const

/** `failure`: why the program did not run to its end. */
export function toCells(
  { notSent = {}, texts, usage }: Client,
  findings: Findings,
  failure: string | undefined,
): ClientResult['cells'] {
  const cells = aspects.map((aspect): [Aspect, Cell] => {
    const { difference, sent } = findings[aspect]
    const problem = aspect === 'arrives' ? (failure ?? difference) : difference
    const reason = notSent[aspect]
    // A reason that no longer holds would hide a loss later.
    const isWrongReason = reason !== undefined && sent !== 'nothing' && problem === undefined
    if (isWrongReason) return [aspect, { mark: 'LOST', note: `arrives, though listed: ${reason}` }]
    if (reason !== undefined && (sent !== 'nothing' || problem === undefined)) return [aspect, { mark: '-', note: reason }]
    if (problem !== undefined) return [aspect, { mark: 'LOST', note: problem }]
    const note = (aspect === 'inputs and outputs' ? texts : usage)?.reason ?? (sent === 'nothing' ? noneServed : undefined)
    return [aspect, { mark: markOfShare[sent], ...(sent !== 'all' && note !== undefined && { note }) }]
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

/** The reason of each cell that is not ok, and of several cells of a client only once. */
export function formatNotes(results: readonly ClientResult[]): string {
  const lines = results.flatMap(({ client, cells }) => {
    const notes = [...new Set(aspects.flatMap((aspect) => cells[aspect].note ?? []))]
    return notes.map((note) => {
      const ofNote = aspects.filter((aspect) => cells[aspect].note === note)
      return `${client.name}: ${ofNote.map((aspect) => `${aspect} ${cells[aspect].mark}`).join(', ')}: ${note}`
    })
  })
  return lines.join('\n')
}

import { formatCount } from '../../format/count'
import { formatDuration } from '../../format/duration'
import { formatVisibleText } from '../../format/visible-text'
import { maxParsedLength } from '../../payload/call-payload'
import type { MessagePart } from '../../payload/message-parts'
import { readConversation } from '../../payload/read-conversation'
import { unwrapPayload } from '../../payload/unwrap-payload'
import type { ThreadTurn } from '../turns/thread-turn'
import type { ExportCounts, ExportedCall, ThreadWriter } from './thread-content'
import { describeMissing } from './describe-missing'

/** For people: messages as a conversation, other values as JSON. Whatever was sent stands in fences that it cannot close. */
export function createMarkdownWriter(): ThreadWriter {
  let turnNumber = 0
  return {
    begin: ({ threadId, projectId, exportedAt, turnCount }) => [
      `# Thread ${inline(threadId)}\n\n`,
      facts([
        ['Project', inline(projectId)],
        ['Turns', formatCount(String(turnCount))],
        ['Exported', exportedAt],
      ]),
    ],
    turn: (turn, number) => {
      turnNumber = number
      return [`\n## Turn ${number}: ${inline(turn.firstWords ?? turn.name ?? turn.id)}\n\n`, facts(toTurnFacts(turn))]
    },
    call: (call) => writeCall(call, turnNumber),
    end: (counts) => writeEnd(counts),
  }
}

function toTurnFacts({ id, startedAt, durationMs, status, failure, models, tokens, costs }: ThreadTurn): Fact[] {
  return [
    ['Id', inline(id)],
    ['Start', startedAt],
    ['Duration', durationMs === null ? null : formatDuration(durationMs)],
    ['Status', status && inline(status)],
    ['Failure', failure?.message == null ? null : `${inline(failure.callName)}: ${inline(failure.message)}`],
    ['Models', models.map(inline).join(', ')],
    ['Tokens', tokens && `${formatCount(String(tokens.prompt))} prompt, ${formatCount(String(tokens.completion))} completion`],
    ['Cost', costs && costs.map(({ currency, total }) => `${total} ${inline(currency)}`).join(', ')],
  ]
}

function writeCall({ call, level, number, record, payloads }: ExportedCall, turnNumber: number): string[] {
  const durationMs = call.ended_at === null ? null : Math.max(0, Date.parse(call.ended_at) - Date.parse(call.started_at))
  return [
    `\n### ${turnNumber}.${number} ${'› '.repeat(Math.min(level, 8))}${inline(call.name)}\n\n`,
    facts([
      ['Id', inline(call.id)],
      ['Kind', call.kind],
      ['Start', call.started_at],
      ['Duration', durationMs === null ? null : formatDuration(durationMs)],
      ['Status', inline(call.status)],
      ['Model', call.model === null ? null : inline(call.model)],
    ]),
    ...(record?.exception ? ['\nError:\n\n', fence(record.exception)] : []),
    ...(['inputs', 'output'] as const).flatMap((field) => writePayload(field, payloads[field])),
  ]
}

const titles = { inputs: 'Inputs', output: 'Output' }

function writePayload(field: 'inputs' | 'output', pieces: readonly string[] | null | undefined): string[] {
  if (pieces === null) return []
  if (pieces === undefined) return [`\n${titles[field]}: could not be read.\n`]
  const text = pieces.join('')
  const parsed = parse(text)
  if (!parsed) return [`\n${titles[field]}:\n\n`, fence(text, 'json')]
  const conversation = readConversation(parsed.value)
  if (!conversation) {
    const { value } = unwrapPayload(parsed.value)
    return [`\n${titles[field]}:\n\n`, fenceValue(value)]
  }
  const rest = Object.keys(conversation.rest).length > 0 ? [`\nOther fields:\n\n`, fenceValue(conversation.rest)] : []
  const messages = conversation.messages.map(
    ({ role, parts }) => `\n**${inline(role)}**\n\n${parts.map((part) => `${fencePart(part)}\n`).join('')}`,
  )
  return [`\n${titles[field]}:\n`, ...messages, ...rest]
}

function parse(text: string): { value: unknown } | undefined {
  if (text.length > maxParsedLength) return undefined
  try {
    const value: unknown = JSON.parse(text)
    return { value }
  } catch {
    // Text of a service that sends no JSON.
    return undefined
  }
}

function fencePart(part: MessagePart): string {
  return part.kind === 'text' || part.kind === 'thinking' ? fence(part.text) : fenceValue(part)
}

function fenceValue(value: unknown): string {
  return typeof value === 'string' ? fence(value) : fence(JSON.stringify(value, null, 2), 'json')
}

/** A block of code with more backticks around it than it has itself anywhere, so nothing in it ends it (CommonMark 4.5). */
export function fence(text: string, language = ''): string {
  const longest = (text.match(/`+/g) ?? []).reduce((most, run) => Math.max(most, run.length), 0)
  const marks = '`'.repeat(Math.max(3, longest + 1))
  return `${marks}${language}\n${text}\n${marks}\n`
}

/** Text of others within a line: every sign that Markdown or HTML could read has a backslash before it. */
export function inline(text: string): string {
  return formatVisibleText(text).replaceAll(/[!-/:-@[-`{-~]/g, String.raw`\$&`)
}

type Fact = readonly [name: string, value: string | null]

function facts(all: readonly Fact[]): string {
  return all.map(([name, value]) => (value ? `- ${name}: ${value}\n` : '')).join('')
}

function writeEnd(counts: ExportCounts): string[] {
  const missing = describeMissing(counts)
  return missing === '' ? [] : [`\n---\n\n${missing}\n`]
}

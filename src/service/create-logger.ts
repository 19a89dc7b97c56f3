import { type DestinationStream, levels, type Logger, pino } from 'pino'

export const logLevels = ['debug', 'info', 'warn', 'error', 'silent'] as const
export type LogLevel = (typeof logLevels)[number]

type LoggerOptions = {
  level: LogLevel
  /** Readable lines for a terminal, JSON for everything else. */
  isTerminal?: boolean
  destination?: DestinationStream
}

/** Logs to standard error: standard output is for the few lines that a person or a script waits for. */
export function createLogger({
  level,
  isTerminal = process.stderr.isTTY,
  destination = pino.destination({ fd: 2, sync: true }),
}: LoggerOptions): Logger {
  const pretty = { write: (json: string) => destination.write(formatLogLine(json)) }
  return pino({ name: 'spool', level, serializers: { err: serializeError } }, isTerminal ? pretty : destination)
}

/** Leaves out fields that libraries add to their errors: they may hold a whole request, credentials included. */
function serializeError(error: unknown): object {
  if (!(error instanceof Error)) return { type: typeof error, message: String(error) }
  return {
    type: error.name,
    message: error.message,
    stack: error.stack,
    ...('code' in error && { code: error.code }),
    ...(error.cause !== undefined && { cause: serializeError(error.cause) }),
  }
}

type LogLine = { level: number; time: number; msg?: string; err?: { stack?: string; message: string } } & Record<string, unknown>

/** One line with time, level, message and fields; a stack trace follows on lines of its own. */
function formatLogLine(json: string): string {
  const { level, time, msg = '', err, pid: _pid, hostname: _hostname, name: _name, ...fields }: LogLine = JSON.parse(json)
  const clock = new Date(time).toLocaleTimeString('en-GB', { hour12: false })
  const pairs = Object.entries(fields).map(
    ([name, value]) => `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`,
  )
  const line = [clock, (levels.labels[level] ?? '').toUpperCase().padEnd(5), msg, ...pairs].join(' ')
  return `${[line, ...(err ? [err.stack ?? err.message] : [])].map(escapeControls).join('\n')}\n`
}

/** Keeps text of a client from moving the terminal's cursor or colouring it. */
function escapeControls(text: string): string {
  return text.replace(/[^\P{Cc}\n\t]/gu, (control) => `\\u${control.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

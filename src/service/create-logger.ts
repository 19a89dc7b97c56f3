import { type DestinationStream, levels, type Logger, pino } from 'pino'

export const logLevels = ['debug', 'info', 'warn', 'error', 'silent'] as const
export type LogLevel = (typeof logLevels)[number]

type LoggerOptions = {
  level: LogLevel
  /** Readable lines for a terminal, JSON for everything else. */
  isTerminal?: boolean
  destination?: DestinationStream
}

/**
 * Logs to standard error: standard output is for the few lines that a person or a script waits for. From info up, a line
 * holds nothing that a client has sent: of an error without a message of our own only its type, code and place.
 */
export function createLogger({
  level,
  isTerminal = process.stderr.isTTY,
  destination = openStandardError(),
}: LoggerOptions): Logger {
  const pretty = { write: (json: string) => destination.write(formatLogLine(json)) }
  return pino(
    {
      name: 'spool',
      level,
      serializers: { err: serializeError },
      hooks: {
        logMethod(args, method) {
          method.apply(this, args)
          const [fields]: unknown[] = args
          if (!this.isLevelEnabled('debug') || typeof fields !== 'object' || fields === null || !('err' in fields)) return
          this.debug({ texts: listMessages(fields.err) }, 'texts of the error above, which may hold data of clients')
        },
      },
    },
    isTerminal ? pretty : destination,
  )
}

function openStandardError(): DestinationStream {
  const destination = pino.destination({ fd: 2, sync: true })
  // Who reads the log may go away. The service goes on without one.
  destination.on('error', () => undefined)
  return destination
}

/** Their messages are written by us and hold nothing that a client has sent. */
const ownErrors = new Set(['StoreError', 'StartError', 'HttpError', 'OverloadedError'])

/**
 * Leaves out the messages of foreign errors, which quote values: ClickHouse's the statement, `JSON.parse` the text. Leaves out
 * fields that libraries add too: they may hold a whole request, credentials included.
 */
function serializeError(error: unknown): object {
  if (!(error instanceof Error)) return { type: typeof error }
  const isOwn = ownErrors.has(error.name)
  return {
    type: error.name,
    ...(isOwn && { message: error.message }),
    // What the store refuses for lack of memory, disk or time is no bug: its place says nothing.
    ...(!(isOwn && 'kind' in error && error.kind !== 'failed') && { stack: readFrames(error) }),
    ...('code' in error && (typeof error.code === 'number' || isWord(error.code)) && { code: error.code }),
    ...(error.cause !== undefined && { cause: serializeError(error.cause) }),
  }
}

/** ENOENT, ERR_INVALID_URL: Node's codes, and no text. */
function isWord(code: unknown): boolean {
  return typeof code === 'string' && /^[A-Z][A-Z0-9_]{0,60}$/.test(code)
}

/** The frames of a stack, without the message above them. */
function readFrames({ stack = '', message }: Error): string {
  const start = stack.indexOf(message)
  const frames = start < 0 ? stack : stack.slice(start + message.length)
  return frames
    .split('\n')
    .filter((line) => /^ {4}at (?:[\w.<>$#[\] ]+ \()?(?:file:|node:|\/|[A-Z]:\\|native|<anonymous>|index )/.test(line))
    .join('\n')
}

function listMessages(error: unknown): string[] {
  if (!(error instanceof Error)) return [String(error)]
  return [`${error.name}: ${error.message}`, ...(error.cause === undefined ? [] : listMessages(error.cause))]
}

type LogLine = { level: number; time: number; msg?: string; err?: LoggedError } & Record<string, unknown>
type LoggedError = { type: string; message?: string; code?: string | number; stack?: string; cause?: LoggedError }

/** One line with time, level, message and fields; a stack trace follows on lines of its own. */
function formatLogLine(json: string): string {
  const { level, time, msg = '', err, pid: _pid, hostname: _hostname, name: _name, ...fields }: LogLine = JSON.parse(json)
  const clock = new Date(time).toLocaleTimeString('en-GB', { hour12: false })
  const pairs = Object.entries(fields).map(
    ([name, value]) => `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`,
  )
  const line = [clock, (levels.labels[level] ?? '').toUpperCase().padEnd(5), msg, ...pairs].join(' ')
  return `${[line, ...(err ? formatError(err) : [])].map(escapeControls).join('\n')}\n`
}

function formatError({ type, message, code, stack, cause }: LoggedError): string[] {
  const head = [type, ...(message === undefined ? [] : [message]), ...(code === undefined ? [] : [code])].join(': ')
  return [head, ...(stack ? [stack] : []), ...(cause ? formatError(cause).map((line) => `cause: ${line}`) : [])]
}

/** Keeps text of a client from moving the terminal's cursor or colouring it. */
function escapeControls(text: string): string {
  return text.replace(/[^\P{Cc}\n\t]/gu, (control) => `\\u${control.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

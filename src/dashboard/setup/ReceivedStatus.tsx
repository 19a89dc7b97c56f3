import { type ReactNode, useEffect } from 'react'
import { Link } from 'wouter'
import {
  ApiError,
  ForbiddenError,
  NotFoundError,
  ResponseSchemaError,
  UnauthorizedError,
  UnreachableError,
} from '../client/api-error'
import { useConnection } from '../client/connection-context'
import { formatCount, formatQuantity } from '../format/count'
import { formatElapsed } from '../format/relative-time'
import { ForeignText } from '../format/ForeignText'
import { formatOpName } from '../format/op-name'
import { formatVisibleText } from '../format/visible-text'
import { announce } from '../ui/announce'
import { Button } from '../ui/Button'
import { buttonClass } from '../ui/button-class'
import { CopyButton } from '../ui/CopyButton'
import { Icon } from '../ui/Icon'
import { type Tone, toneIcons, toneText } from '../ui/tone'
import type { ReceivedCalls } from './received-calls'
import { fastPollSeconds, type useReceivedCalls } from './use-received-calls'

/** Shows in one line whether calls have been received since the page was opened. */
export function ReceivedStatus({ received, error, checkedAt, checkAgain }: ReturnType<typeof useReceivedCalls>) {
  if (error) return <CheckFailed error={error} checkAgain={checkAgain} />
  if (!received) return <Line tone="neutral" title="Asking the server for calls…" />
  return received.kind === 'some' ? (
    <Received received={received} checkedAt={checkedAt} />
  ) : (
    <Waiting received={received} checkedAt={checkedAt} />
  )
}

function Waiting({ received: { last, count }, checkedAt }: { received: ReceivedCalls & { kind: 'none' }; checkedAt: number }) {
  const { projectId } = useConnection()
  if (!last) {
    return (
      <Line tone="neutral" title="Waiting for the first call…">
        {count > 0 ? `${formatQuantity(count, 'call')}, all nested in other calls,` : 'None yet'} in{' '}
        <ForeignText text={projectId} />. Asked every {fastPollSeconds} s.
      </Line>
    )
  }
  return (
    <Line tone="neutral" title="Waiting: no call since you opened this page">
      The last one,{' '}
      <code className="font-mono break-words">
        <ForeignText text={formatOpName(last.op_name)} />
      </code>
      , started {formatElapsed(last.started_at, checkedAt)}. {formatQuantity(count, 'call')} in <ForeignText text={projectId} />.
    </Line>
  )
}

function Received({ received, checkedAt }: { received: ReceivedCalls & { kind: 'some' }; checkedAt: number }) {
  const { call, newCount, count } = received
  const op = call && formatVisibleText(formatOpName(call.op_name))
  const title = op === undefined ? `Received: ${formatQuantity(newCount, 'call')}` : `Received: ${op}`
  // The live region belongs to the document. Announced once, not with every call of a busy project.
  useEffect(() => announce('Received a call'), [])
  const threadId = call?.thread_id
  return (
    <Line
      tone="good"
      title={title}
      actions={
        <>
          {threadId && (
            <Link href={`/threads?row=${encodeURIComponent(threadId)}`} className={buttonClass('primary')}>
              Open its thread
            </Link>
          )}
          <Link href="/threads" className={buttonClass()}>
            All threads
          </Link>
        </>
      }
    >
      {call && `Started ${formatElapsed(call.started_at, checkedAt)}. `}
      {call && !threadId && 'It has no thread id, so it belongs to no thread. '}
      {`${formatQuantity(newCount, 'call')} since you opened this page, ${formatCount(String(count))} in all.`}
    </Line>
  )
}

function CheckFailed({ error, checkAgain }: { error: Error; checkAgain: () => void }) {
  const { projectId } = useConnection()
  if (cannotListCalls(error)) {
    return (
      <Line
        tone="info"
        title="This server cannot list calls"
        actions={
          <Link href="/threads" className={buttonClass()}>
            All threads
          </Link>
        }
      >
        The snippets still work. Look for your thread in the list.
      </Line>
    )
  }
  const isForbidden = error instanceof ForbiddenError
  const isTemporary = error instanceof ApiError && error.isTransient
  return (
    <Line
      tone={isTemporary ? 'warn' : 'bad'}
      title={
        isForbidden
          ? `You have no access to ${formatVisibleText(projectId)}`
          : error instanceof UnreachableError
            ? 'The server does not respond'
            : 'The check failed'
      }
      actions={
        <>
          <Button icon="refresh" onClick={checkAgain}>
            Check again
          </Button>
          <CopyButton hasText label="Copy details" text={error instanceof ApiError ? error.details : error.message} />
        </>
      }
    >
      {error.message} {isForbidden && 'Switch the project, or ask an administrator for access.'}
      {isTemporary && 'This page keeps trying.'}
    </Line>
  )
}

/** Not there, or there with something else. A 401 may mean that too, where other operations accept the same credentials. */
function cannotListCalls(error: Error): boolean {
  return (
    error instanceof NotFoundError ||
    error instanceof ResponseSchemaError ||
    error instanceof UnauthorizedError ||
    (error instanceof ApiError && (error.status === 405 || error.status === 501))
  )
}

type LineProps = { tone: Tone; title: string; children?: ReactNode; actions?: ReactNode }

function Line({ tone, title, children, actions }: LineProps) {
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
      {tone === 'neutral' ? <Pulse /> : <Icon name={toneIcons[tone]} className={`mt-0.5 self-start ${toneText[tone]}`} />}
      <p className="min-w-48 flex-1 break-words">
        <strong className="font-semibold">{title}</strong>
        <span className="block text-quiet tabular-nums">{children}</span>
      </p>
      {actions && <div className="flex flex-wrap gap-2">{actions}</div>}
    </div>
  )
}

function Pulse() {
  return (
    <span
      aria-hidden="true"
      className="mx-1 mt-1.5 size-2 self-start shrink-0 animate-pulse rounded-full bg-accent motion-reduce:animate-none forced-colors:bg-[CanvasText]"
    />
  )
}

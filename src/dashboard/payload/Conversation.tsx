import { useState } from 'react'
import { formatCount } from '../format/count'
import { ForeignText } from '../format/ForeignText'
import { Button } from '../ui/Button'
import { Icon } from '../ui/Icon'
import { JsonTree } from './JsonTree'
import { getKindLook } from './kind-icons'
import { LongText } from './LongText'
import type { MessagePart } from './message-parts'
import type { Message } from './read-conversation'

/** Histories grow with each turn. */
const messagesAtOnce = 50

/** Messages with their roles, tool calls and results as such. The latest are what the call is about, so they are shown first. */
export function Conversation({ messages, label }: { messages: readonly Message[]; label: string }) {
  const [shown, setShown] = useState(messagesAtOnce)
  const hiddenCount = Math.max(0, messages.length - shown)
  return (
    <div>
      {hiddenCount > 0 && (
        <Button variant="quiet" className="-ml-2 text-accent" onClick={() => setShown(shown + messagesAtOnce)}>
          {`Show ${formatCount(String(Math.min(messagesAtOnce, hiddenCount)))} earlier of ${formatCount(String(messages.length))} messages`}
        </Button>
      )}
      <ol aria-label={label} className="conversation">
        {messages.slice(hiddenCount).map((message, index) => (
          // oxlint-disable-next-line react/no-array-index-key -- messages have no ids and never move
          <MessageItem key={hiddenCount + index} message={message} />
        ))}
      </ol>
    </div>
  )
}

function MessageItem({ message: { role, name, parts } }: { message: Message }) {
  return (
    <li className="message" data-role={role}>
      <p className="message-role">
        <ForeignText text={role} />
        {name !== null && (
          <span className="text-faint">
            {' '}
            <ForeignText text={name} />
          </span>
        )}
      </p>
      {parts.length === 0 && <p className="text-faint">no content</p>}
      {parts.map((part, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- as above
        <Part key={index} part={part} />
      ))}
    </li>
  )
}

function Part({ part }: { part: MessagePart }) {
  switch (part.kind) {
    case 'text':
      return <LongText text={part.text} />
    case 'thinking':
      return (
        <div className="message-aside">
          <p className="text-xs text-faint">thinking</p>
          <LongText text={part.text} foldAt={400} className="text-quiet" />
        </div>
      )
    case 'tool_call':
      return (
        <div className="message-aside">
          <ToolLine verb="calls" name={part.name} id={part.id} />
          <Value value={part.input} label={`Arguments of ${part.name}`} />
        </div>
      )
    case 'tool_result':
      return (
        <div className="message-aside">
          <ToolLine verb={part.isError ? 'failed' : 'result'} name={part.name} id={part.id} />
          <Value value={part.output} label="Result of the tool" />
        </div>
      )
    default:
      return (
        <div className="message-aside">
          <p className="text-xs text-faint">
            <ForeignText text={part.label} />
          </p>
          <Value value={part.value} label={part.label} />
        </div>
      )
  }
}

function ToolLine({ verb, name, id }: { verb: string; name: string | null; id: string | null }) {
  return (
    <p className={`flex flex-wrap items-center gap-x-1.5 ${verb === 'failed' ? 'text-bad' : 'text-quiet'}`}>
      <Icon name={getKindLook('tool').icon} />
      {verb}
      {name !== null && (
        <span className="font-semibold text-text">
          <ForeignText text={name} />
        </span>
      )}
      {id !== null && (
        <span className="min-w-0 truncate text-xs text-faint">
          <ForeignText text={id} />
        </span>
      )}
    </p>
  )
}

function Value({ value, label }: { value: unknown; label: string }) {
  if (value === undefined || value === null || value === '') return <p className="text-faint">nothing</p>
  return typeof value === 'string' ? <LongText text={value} /> : <JsonTree value={value} label={label} />
}

import { useMemo, useState } from 'react'
import { PanelSection } from '../table/grid/RowPanel'
import { formatCount } from '../format/count'
import { ForeignText } from '../format/ForeignText'
import { Button } from '../ui/Button'
import { CopyButton } from '../ui/CopyButton'
import { moreIcons } from '../ui/more-icons'
import { Segmented } from '../ui/Segmented'
import { isWhole, parsePayload, type Payload, type PayloadField } from './call-payload'
import { Conversation } from './Conversation'
import { JsonTree } from './JsonTree'
import { LongText } from './LongText'
import { type Conversation as ReadConversation, readConversation } from './read-conversation'
import { unwrapPayload } from './unwrap-payload'
import { usePayload } from './use-payload'

type Props = { title: string; callId: string; field: PayloadField; first: Payload | null; emptyText: string }

/** Inputs or output of a call: a conversation where it is one, else a tree of JSON, else text. */
export function PayloadSection({ title, callId, field, first, emptyText }: Props) {
  return first ? (
    <Loaded title={title} callId={callId} field={field} first={first} />
  ) : (
    <PanelSection title={title}>
      <p className="text-quiet">{emptyText}</p>
    </PanelSection>
  )
}

type View = 'conversation' | 'tree' | 'text' | 'raw'

const viewLabels: Readonly<Record<View, string>> = { conversation: 'Messages', tree: 'JSON', text: 'Text', raw: 'Raw' }

function Loaded({ title, callId, field, first }: Omit<Props, 'first' | 'emptyText'> & { first: Payload }) {
  const { payload, work, readNext, readAll, save, stop } = usePayload(callId, field, first)
  const content = useMemo(() => readContent(payload), [payload])
  const [chosen, setChosen] = useState<View>()
  const view = chosen && content.views.includes(chosen) ? chosen : (content.views[0] ?? 'raw')
  const label = `${title} of this call`
  return (
    <PanelSection
      title={title}
      aside={
        <span className="flex items-center gap-1">
          {content.views.length > 1 && (
            <Segmented
              label={`Show ${title.toLowerCase()} as`}
              value={view}
              options={content.views.map((value) => ({ value, label: viewLabels[value] }))}
              onChange={setChosen}
            />
          )}
          <CopyButton label={`Copy ${title.toLowerCase()}`} text={content.copyText} />
        </span>
      }
    >
      {content.name !== null && view !== 'raw' && (
        <p className="text-xs text-faint">
          <ForeignText text={content.name} />
        </p>
      )}
      {view === 'conversation' && content.conversation && (
        <Messages conversation={content.conversation} label={label} title={title} />
      )}
      {view === 'tree' && <JsonTree value={content.value} label={label} />}
      {view === 'text' && <LongText text={String(content.value)} />}
      {view === 'raw' && <LongText text={payload.text} isCode foldAt={isWhole(payload) ? 4000 : Infinity} className="raw-text" />}
      {!isWhole(payload) && (
        <div className="mt-2 flex flex-wrap items-center gap-2">
          <output className="block w-full text-quiet">
            {`The first ${formatCount(String(payload.to))} of ${formatCount(String(payload.length))} characters of its JSON are shown.`}
          </output>
          {work.kind === 'reading' || work.kind === 'saving' ? (
            <>
              <span className="text-quiet">{`${work.kind === 'saving' ? 'Saving' : 'Reading'}: ${Math.floor((100 * work.to) / payload.length)} %`}</span>
              <Button icon="stop" onClick={stop}>
                Stop
              </Button>
            </>
          ) : (
            <>
              <Button onClick={readNext}>Show next 256 KiB</Button>
              {readAll && <Button onClick={readAll}>Show all</Button>}
              <Button icon={moreIcons.download} onClick={save}>
                Download whole
              </Button>
            </>
          )}
          {work.kind === 'failed' && (
            <p role="alert" className="w-full text-bad">
              {work.message}
            </p>
          )}
        </div>
      )}
    </PanelSection>
  )
}

function Messages({ conversation, label, title }: { conversation: ReadConversation; label: string; title: string }) {
  const restCount = Object.keys(conversation.rest).length
  return (
    <>
      <Conversation messages={conversation.messages} label={label} />
      {restCount > 0 && (
        <details className="mt-2">
          <summary className="text-quiet">{`${restCount} other ${restCount === 1 ? 'field' : 'fields'}`}</summary>
          <JsonTree value={conversation.rest} label={`Other fields of ${title.toLowerCase()}`} />
        </details>
      )}
    </>
  )
}

type Content = {
  name: string | null
  value: unknown
  conversation: ReadConversation | undefined
  /** The ways to show it, the best first. */
  views: readonly View[]
  copyText: string
}

function readContent(payload: Payload): Content {
  const parsed = parsePayload(payload)
  const nothing = { name: null, value: undefined, conversation: undefined }
  if (!parsed) return { ...nothing, views: ['raw'], copyText: payload.text }
  const conversation = readConversation(parsed.value)
  const { name, value } = unwrapPayload(parsed.value)
  const isBranch = typeof value === 'object' && value !== null
  if (conversation)
    return { name: null, value: parsed.value, conversation, views: ['conversation', 'tree', 'raw'], copyText: payload.text }
  return isBranch
    ? { name, value, conversation, views: ['tree', 'raw'], copyText: payload.text }
    : { name, value, conversation, views: ['text'], copyText: typeof value === 'string' ? value : payload.text }
}

import { useMemo, useState } from 'react'
import type { PayloadParts } from '../../../contract/calls'
import type { ReceivedCall } from '../../../contract/received-call'
import { ForeignText } from '../../format/ForeignText'
import { PanelSection } from '../../table/grid/RowPanel'
import { CopyButton } from '../../ui/CopyButton'
import { isWhole, parsePayload, type PayloadField, toPayload } from '../../payload/call-payload'
import { CallUsage } from './CallUsage'
import { LongText } from '../../payload/LongText'
import { PayloadSection } from '../../payload/PayloadSection'
import { readUsage } from './read-usage'
import { splitException } from './split-exception'

type Props = { call: ReceivedCall; parts: PayloadParts | undefined }

export function CallContent({ call, parts }: Props) {
  const payloads = useMemo(() => {
    const read = (field: PayloadField) => toPayload(field, parts, call[field])
    return { inputs: read('inputs'), output: read('output'), attributes: read('attributes'), summary: read('summary') }
  }, [call, parts])
  const usage = useMemo(() => {
    const sent = payloads.summary && parsePayload(payloads.summary)?.value
    return readUsage(sent ?? call.summary, call.summary)
  }, [call, payloads])
  const { inputs, output, attributes } = payloads
  return (
    <>
      {call.exception !== null && <Exception text={call.exception} />}
      <PayloadSection title="Input" callId={call.id} field="inputs" first={inputs} emptyText="This call has no inputs." />
      <PayloadSection
        title="Output"
        callId={call.id}
        field="output"
        first={output}
        emptyText={call.ended_at === null ? 'This call is still running.' : 'This call returned nothing.'}
      />
      {usage.length > 0 && (
        <PanelSection title="Usage" aside={<span className="text-xs text-quiet">as reported, with calls below it</span>}>
          <CallUsage models={usage} />
        </PanelSection>
      )}
      <PayloadSection
        title="Attributes"
        callId={call.id}
        field="attributes"
        first={attributes}
        emptyText="This call has no attributes."
      />
      <Ids call={call} />
      <Raw call={call} payloads={payloads} />
    </>
  )
}

function Exception({ text }: { text: string }) {
  const { message, stack } = splitException(text)
  return (
    <PanelSection title="Exception" aside={<CopyButton label="Copy exception" text={text} />}>
      <LongText text={message} className="text-bad" />
      {stack !== null && (
        <details className="mt-2">
          <summary className="text-quiet">Stack</summary>
          <LongText text={stack} isCode foldAt={4000} />
        </details>
      )}
    </PanelSection>
  )
}

function Ids({ call }: { call: ReceivedCall }) {
  const ids = [
    { name: 'Call', id: call.id },
    { name: 'Parent', id: call.parent_id },
    { name: 'Trace', id: call.trace_id },
    { name: 'Thread', id: call.thread_id },
    { name: 'Turn', id: call.turn_id },
    { name: 'Op', id: call.op_name },
    { name: 'User', id: call.wb_user_id },
  ]
  return (
    <PanelSection title="Ids">
      <dl>
        {ids.map(
          ({ name, id }) =>
            id && (
              <div key={name} className="flex min-h-8 items-center gap-3">
                <dt className="w-16 shrink-0 text-quiet">{name}</dt>
                <dd className="flex min-w-0 flex-1 items-center gap-3">
                  <span className="flex-1 font-mono text-xs break-all">
                    <ForeignText text={id} />
                  </span>
                  <CopyButton label={`Copy ${name.toLowerCase()}${name === 'Op' || name === 'User' ? '' : ' id'}`} text={id} />
                </dd>
              </div>
            ),
        )}
      </dl>
    </PanelSection>
  )
}

/** The call as the service sends it, as far as it has been read. */
function Raw({ call, payloads }: { call: ReceivedCall; payloads: Readonly<Record<PayloadField, ReturnType<typeof toPayload>>> }) {
  const [isOpen, setIsOpen] = useState(false)
  const toText = () => {
    const fields = Object.entries(call).map(([key, value]: [string, unknown]): [string, unknown] => {
      const payload = key in payloads ? payloads[key as PayloadField] : undefined // `in` does not narrow the key
      if (!payload) return [key, value]
      return [key, isWhole(payload) ? (parsePayload(payload)?.value ?? null) : `(${payload.length} characters of JSON, not read)`]
    })
    return JSON.stringify(Object.fromEntries(fields), null, 2)
  }
  return (
    <PanelSection title="Raw JSON" aside={<CopyButton label="Copy raw JSON" text={toText} />}>
      <details onToggle={(event) => setIsOpen(event.currentTarget.open)}>
        <summary className="text-quiet">Show</summary>
        {isOpen && <LongText text={toText()} isCode foldAt={8000} />}
      </details>
    </PanelSection>
  )
}

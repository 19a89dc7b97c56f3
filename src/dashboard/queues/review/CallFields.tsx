import type { JsonColumn } from '../../../contract/call-fields'
import type { PayloadParts } from '../../../contract/calls'
import { isJsonObject } from '../../../contract/json-value'
import type { ReceivedCall } from '../../../contract/received-call'
import { isWhole, parsePayload, type Payload, toPayload } from '../../payload/call-payload'
import { PayloadSection } from '../../payload/PayloadSection'
import type { DisplayField } from './review-queries'

const titles: Readonly<Record<string, string>> = { inputs: 'Input', output: 'Output' }

type FieldsProps = { call: ReceivedCall; parts: PayloadParts | undefined; displayFields: readonly DisplayField[] }

/** What a reviewer is shown of a call. */
export function CallFields({ call, parts, displayFields }: FieldsProps) {
  return displayFields.map((field) => {
    const title = titles[field.name] ?? field.name
    const column: JsonColumn = 'column' in field ? field.column : 'summary'
    const first = 'column' in field ? readPath(field, parts, call) : toValuePayload(readPlain(field.plain, call))
    const isRunning = column === 'output' && call.ended_at === null
    return (
      <PayloadSection
        key={`${call.id} ${field.name}`}
        title={title}
        callId={call.id}
        field={column}
        first={first}
        emptyText={isRunning ? 'This call is still running.' : 'Nothing is there.'}
      />
    )
  })
}

function readPlain(name: string, call: ReceivedCall): unknown {
  const path = name.split('.')
  return path.reduce<unknown>((value, key) => (isJsonObject(value) ? value[key] : undefined), call)
}

/** The value at a path. Of a column that is too long to be read at once, its beginning: the value may be anywhere. */
function readPath(
  { column, path }: { column: JsonColumn; path: readonly string[] },
  parts: PayloadParts | undefined,
  call: ReceivedCall,
): Payload | null {
  const payload = toPayload(column, parts, call[column])
  if (!payload || path.length === 0 || !isWhole(payload)) return payload
  const value = path.reduce<unknown>(
    (part, key) => (Array.isArray(part) ? part[Number(key)] : isJsonObject(part) ? part[key] : undefined),
    parsePayload(payload)?.value,
  )
  return toValuePayload(value)
}

function toValuePayload(value: unknown): Payload | null {
  if (value === undefined || value === null) return null
  const text = JSON.stringify(value)
  return { text, to: text.length, length: text.length }
}

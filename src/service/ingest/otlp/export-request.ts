import type { Attributes } from './attributes/attributes'
import type { Encoding } from './encoding'
import { InvalidOtlpError } from './invalid-otlp-error'
import { exportLogsServiceRequest, logRecordMessage, resourceLogsMessage, scopeLogsMessage, type LogRecord } from './log-messages'
import { emptyValue, findField, type MessageFields } from './message'
import {
  exportTraceServiceRequest,
  resourceMessage,
  resourceSpansMessage,
  type Scope,
  scopeMessage,
  scopeSpansMessage,
  type Span,
  spanMessage,
} from './trace-messages'

type Frame = Readonly<Record<string, unknown>>

/** A request holds groups of one resource each, these hold groups of one scope each, and these hold the items. */
export type Signal<Item> = {
  /** For messages: 'spans'. */
  readonly itemNames: string
  /** The library's name of the request's message. */
  readonly requestName: string
  /** The variable with which exporters are told to send smaller requests. */
  readonly batchSizeVariable: string
  readonly request: MessageFields<Frame>
  readonly resources: string
  readonly resourceGroup: MessageFields<Frame>
  readonly scopes: string
  readonly scopeGroup: MessageFields<Frame>
  readonly items: string
  readonly item: MessageFields<Item>
}

export const spansSignal: Signal<Span> = {
  itemNames: 'spans',
  requestName: 'ExportTraceServiceRequest',
  batchSizeVariable: 'OTEL_BSP_MAX_EXPORT_BATCH_SIZE',
  request: exportTraceServiceRequest,
  resources: 'resourceSpans',
  resourceGroup: resourceSpansMessage,
  scopes: 'scopeSpans',
  scopeGroup: scopeSpansMessage,
  items: 'spans',
  item: spanMessage,
}

export const logsSignal: Signal<LogRecord> = {
  itemNames: 'log records',
  requestName: 'ExportLogsServiceRequest',
  batchSizeVariable: 'OTEL_BLRP_MAX_EXPORT_BATCH_SIZE',
  request: exportLogsServiceRequest,
  resources: 'resourceLogs',
  resourceGroup: resourceLogsMessage,
  scopes: 'scopeLogs',
  scopeGroup: scopeLogsMessage,
  items: 'logRecords',
  item: logRecordMessage,
}

/** A span or log record that is not decoded yet, with what it shares with its neighbours. `decode` throws an `InvalidOtlpError`. */
export type PendingItem<Item> = { resource: Attributes; scope: Scope; place: string; decode: () => Item }

/** A request whose frame is valid: `items` walks through all of it. */
export type ExportRequest<Item> = { itemCount: number; items: () => Iterable<PendingItem<Item>> }

/** The frame of a request, which is all but its items, is not valid. */
export class InvalidFrameError extends Error {
  override readonly name = 'InvalidFrameError'

  constructor(
    readonly loc: readonly string[],
    cause: InvalidOtlpError,
  ) {
    super(cause.message, { cause })
  }
}

export class TooManyItemsError extends Error {
  override readonly name = 'TooManyItemsError'
}

/** Exporters send some hundreds at once, collectors some thousands. */
export const maxItems = 100_000
/** Groups of resources and scopes. An empty one takes two bytes, and its place in a list of groups many more. */
const maxGroups = 100_000

/**
 * Validates the frame of a request. It is walked twice, now and for the items, so that no list of items is held in memory.
 * Throws an `InvalidFrameError` or a `TooManyItemsError`.
 */
export function readExportRequest<Item, Encoded>(
  body: Encoded,
  encoding: Encoding<Encoded>,
  signal: Signal<Item>,
): ExportRequest<Item> {
  let itemCount = 0
  for (const _ of encodedItemsIn(body, encoding, signal)) {
    itemCount += 1
    if (itemCount > maxItems) throw new TooManyItemsError()
  }
  return { itemCount, items: () => itemsIn(body, encoding, signal) }
}

function* itemsIn<Item, Encoded>(body: Encoded, encoding: Encoding<Encoded>, signal: Signal<Item>): Generator<PendingItem<Item>> {
  const [resources, scopes, items] = [
    findField(signal.request, signal.resources).snakeCaseName,
    findField(signal.resourceGroup, signal.scopes).snakeCaseName,
    findField(signal.scopeGroup, signal.items).snakeCaseName,
  ]
  for (const { encoded, group, index } of encodedItemsIn(body, encoding, signal)) {
    yield {
      resource: group.resource,
      scope: group.scope,
      place: `${resources}[${group.resourceIndex}].${scopes}[${group.scopeIndex}].${items}[${index}]`,
      decode: () => encoding.decode(encoded, signal.item),
    }
  }
}

function* encodedItemsIn<Item, Encoded>(body: Encoded, encoding: Encoding<Encoded>, signal: Signal<Item>) {
  const { request, resources, resourceGroup, scopes, scopeGroup, items } = signal
  let groupCount = 0
  const countGroup = () => {
    groupCount += 1
    if (groupCount > maxGroups) throw new TooManyItemsError()
  }
  /** Where the walk is, for the error below. */
  let loc: readonly string[] = ['body']
  const decodeFirst = <Value>(messages: Iterable<Encoded>, message: MessageFields<Value>, field: string): Value => {
    const ownerLoc = loc
    for (const encoded of messages) {
      loc = [...ownerLoc, field]
      const value = encoding.decode(encoded, message)
      loc = ownerLoc
      return value
    }
    return emptyValue(message)
  }
  try {
    let resourceIndex = 0
    for (const encodedResource of encoding.messagesIn(body, request, resources)) {
      countGroup()
      const resourceLoc = ['body', resources, String(resourceIndex)]
      loc = resourceLoc
      const resource = decodeFirst(encoding.messagesIn(encodedResource, resourceGroup, 'resource'), resourceMessage, 'resource')
      let scopeIndex = 0
      for (const encodedScope of encoding.messagesIn(encodedResource, resourceGroup, scopes)) {
        countGroup()
        loc = [...resourceLoc, scopes, String(scopeIndex)]
        const scope = decodeFirst(encoding.messagesIn(encodedScope, scopeGroup, 'scope'), scopeMessage, 'scope')
        const group = { resource: resource.attributes, scope, resourceIndex, scopeIndex }
        let index = 0
        for (const encoded of encoding.messagesIn(encodedScope, scopeGroup, items)) {
          yield { encoded, group, index }
          index += 1
        }
        loc = resourceLoc
        scopeIndex += 1
      }
      loc = ['body']
      resourceIndex += 1
    }
  } catch (error) {
    if (!(error instanceof InvalidOtlpError)) throw error
    throw new InvalidFrameError(error.fieldName === undefined ? loc : [...loc, error.fieldName], error)
  }
}

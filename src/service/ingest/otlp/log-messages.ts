// The messages of opentelemetry-proto 1.x that carry log records: field numbers and JSON names of logs_service and logs.
import {
  attributesField,
  defineMessage,
  fixed32Field,
  idField,
  listField,
  messageField,
  stringField,
  unixNanoField,
} from './message'
import { anyValueMessage, keyValueMessage, resourceMessage, scopeMessage } from './trace-messages'

export const exportLogsServiceRequest = defineMessage('The body', { resourceLogs: [1, listField(() => resourceLogsMessage)] })

export const resourceLogsMessage = defineMessage('ResourceLogs', {
  resource: [1, messageField(() => resourceMessage)],
  scopeLogs: [2, listField(() => scopeLogsMessage)],
})

export const scopeLogsMessage = defineMessage('ScopeLogs', {
  scope: [1, messageField(() => scopeMessage)],
  logRecords: [2, listField(() => logRecordMessage)],
})

/** Severities are left out: they decide nothing here. */
export const logRecordMessage = defineMessage('A log record', {
  timeUnixNano: [1, unixNanoField],
  body: [5, messageField(() => anyValueMessage)],
  attributes: [6, attributesField(() => keyValueMessage)],
  flags: [8, fixed32Field],
  traceId: [9, idField],
  spanId: [10, idField],
  observedTimeUnixNano: [11, unixNanoField],
  eventName: [12, stringField],
})
export type LogRecord = ReturnType<typeof logRecordMessage.toValue>

import { shellQuoteIfNeeded } from '../client/shell-quote'
import type { Destination } from './guide'

/**
 * The environment variables of every OpenTelemetry SDK. The SDK appends `/v1/traces` to the endpoint. A header can contain
 * only ASCII, so any other project name goes into the resource attributes.
 */
export function otelVariables({ baseUrl, projectId }: Destination): string {
  const [entity = '', project = ''] = projectId.split('/')
  const isAscii = /^[\x20-\x7e]*$/.test(projectId)
  return [
    `export OTEL_EXPORTER_OTLP_ENDPOINT=${shellQuoteIfNeeded(`${baseUrl}/otel`)}`,
    'export OTEL_EXPORTER_OTLP_PROTOCOL=http/protobuf',
    `export OTEL_EXPORTER_OTLP_HEADERS="wandb-api-key=$SPOOL_KEY${isAscii ? `,project_id=${encodeOtelValue(projectId)}` : ''}"`,
    ...(isAscii
      ? []
      : [`export OTEL_RESOURCE_ATTRIBUTES="wandb.entity=${encodeOtelValue(entity)},wandb.project=${encodeOtelValue(project)}"`]),
    'export OTEL_TRACES_EXPORTER=otlp OTEL_METRICS_EXPORTER=none OTEL_LOGS_EXPORTER=none',
  ].join('\n')
}

export const otelVariablesNote =
  'A password with a comma, `=`, `;`, `%` or a space must be percent-encoded in these headers. The program sends only traces, so metrics and logs are off.'

/**
 * A value in OTEL_EXPORTER_OTLP_HEADERS or OTEL_RESOURCE_ATTRIBUTES, which exporters percent-decode. It also encodes the
 * characters that a shell interprets between double quotes (`!` recalls the history).
 */
function encodeOtelValue(text: string): string {
  return encodeURIComponent(text).replace(/[!'()*~]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)
}

import { shellQuoteIfNeeded } from '../client/shell-quote'
import type { Destination } from './guide'

/**
 * What any OpenTelemetry SDK reads from its environment. The endpoint is what the SDK puts `/v1/traces` behind. A header
 * carries ASCII only, so another project's name goes into the resource instead.
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
  'In these headers a password with a comma, `=`, `;`, `%` or a space has to be percent-encoded. Only traces are taken: metrics and logs stay off.'

/**
 * A value in OTEL_EXPORTER_OTLP_HEADERS or OTEL_RESOURCE_ATTRIBUTES, which exporters percent-decode. Encoded further than
 * they ask for, so that between double quotes no shell acts on it either (`!` recalls the history).
 */
function encodeOtelValue(text: string): string {
  return encodeURIComponent(text).replace(/[!'()*~]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)
}

import type { Destination } from './destination'
import { listedValue, shellWord } from './shell-word'

/**
 * What any OpenTelemetry SDK reads from its environment. The endpoint is what the SDK puts `/v1/traces` behind. A header
 * carries ASCII only, so another project's name goes into the resource instead.
 */
export function otelVariables({ baseUrl, projectId }: Destination): string {
  const [entity = '', project = ''] = projectId.split('/')
  const isAscii = /^[\x20-\x7e]*$/.test(projectId)
  return [
    `export OTEL_EXPORTER_OTLP_ENDPOINT=${shellWord(`${baseUrl}/otel`)}`,
    'export OTEL_EXPORTER_OTLP_PROTOCOL=http/protobuf',
    `export OTEL_EXPORTER_OTLP_HEADERS="wandb-api-key=$SPOOL_KEY${isAscii ? `,project_id=${listedValue(projectId)}` : ''}"`,
    ...(isAscii
      ? []
      : [`export OTEL_RESOURCE_ATTRIBUTES="wandb.entity=${listedValue(entity)},wandb.project=${listedValue(project)}"`]),
    'export OTEL_TRACES_EXPORTER=otlp OTEL_METRICS_EXPORTER=none OTEL_LOGS_EXPORTER=none',
  ].join('\n')
}

export const otelVariablesNote =
  'In these headers a password with a comma, `=`, `;`, `%` or a space has to be percent-encoded. Only traces are taken: metrics and logs stay off.'

import { ROOT_CONTEXT, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api'
import { OTLPTraceExporter as JsonExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { OTLPTraceExporter as ProtobufExporter } from '@opentelemetry/exporter-trace-otlp-proto'
import { resourceFromAttributes } from '@opentelemetry/resources'
import { BasicTracerProvider, BatchSpanProcessor } from '@opentelemetry/sdk-trace-base'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { openListeningService } from './testing/listening-service'

let service: Awaited<ReturnType<typeof openListeningService>>

beforeAll(async () => {
  service = await openListeningService()
})
afterAll(() => service.close())
afterEach(() => {
  vi.unstubAllEnvs()
})

const exporters = [
  { encoding: 'protobuf', mediaType: 'application/x-protobuf', Exporter: ProtobufExporter },
  { encoding: 'json', mediaType: 'application/json', Exporter: JsonExporter },
]

test.each(exporters)(
  'a program configured only by environment variables exports compressed $encoding',
  async ({ encoding, mediaType, Exporter }) => {
    const projectId = `acme/env-${encoding}`
    vi.stubEnv('OTEL_EXPORTER_OTLP_ENDPOINT', `${service.url}/otel`)
    vi.stubEnv('OTEL_EXPORTER_OTLP_HEADERS', `Authorization=${encodeURIComponent(service.credentials)},project_id=${projectId}`)
    vi.stubEnv('OTEL_EXPORTER_OTLP_COMPRESSION', 'gzip')
    const provider = new BasicTracerProvider({ spanProcessors: [new BatchSpanProcessor(new Exporter())] })
    const tracer = provider.getTracer('shop', '1.0')
    const root = tracer.startSpan('answer', { kind: SpanKind.SERVER, attributes: { 'session.id': 's1' } })
    for (let index = 0; index < 40; index += 1) {
      const parent = trace.setSpan(ROOT_CONTEXT, root)
      const span = tracer.startSpan(
        `step ${index}`,
        { attributes: { 'session.id': 's1', index, 'gen_ai.request.model': 'gpt-4o' } },
        parent,
      )
      if (index === 3) {
        span.recordException(new Error('lost'))
        span.setStatus({ code: SpanStatusCode.ERROR })
      }
      span.end()
    }
    root.end()
    await provider.shutdown()
    const request = service.seen.find(({ headers }) => headers['project_id'] === projectId)
    expect(request).toMatchObject({
      url: '/otel/v1/traces',
      headers: { 'content-type': mediaType, 'content-encoding': 'gzip' },
    })
    expect(await service.spans(projectId)).toHaveLength(41)
    expect(await service.threads(projectId)).toMatchObject([
      { thread_id: 's1', turn_count: 1, first_turn_id: root.spanContext().spanId },
    ])
  },
)

test('the project may be a resource attribute, and the credential a password alone', async () => {
  const exporter = new ProtobufExporter({ url: `${service.url}/v1/traces`, headers: { 'wandb-api-key': 'admin-secret' } })
  const resource = resourceFromAttributes({ 'wandb.entity': 'acme', 'wandb.project': 'by-resource', 'service.name': 'shop' })
  const provider = new BasicTracerProvider({ resource, spanProcessors: [new BatchSpanProcessor(exporter)] })
  provider.getTracer('shop').startSpan('answer').end()
  await provider.shutdown()
  expect(await service.spans('acme/by-resource')).toMatchObject([{ op_name: 'answer' }])
})

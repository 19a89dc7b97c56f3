import { context, trace } from '@opentelemetry/api'
import type { SpanProcessor } from '@opentelemetry/sdk-trace-base'
import { OpenAIInstrumentation } from '@traceloop/instrumentation-openai'
import OpenAI from 'openai'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { openCompletionEndpoint } from './testing/completion-endpoint'
import { openListeningService } from './testing/listening-service'
import { startTracing } from './testing/start-tracing'

let service: Awaited<ReturnType<typeof openListeningService>>
let endpoint: Awaited<ReturnType<typeof openCompletionEndpoint>>

beforeAll(async () => {
  service = await openListeningService()
  endpoint = await openCompletionEndpoint()
})
afterAll(async () => {
  await endpoint.close()
  await service.close()
  vi.unstubAllEnvs()
})

/** Sets the conversation on every span, as programs with conversations do. */
const inConversation: SpanProcessor = {
  onStart: (span) => {
    span.setAttribute('gen_ai.conversation.id', 'conversation-3')
  },
  onEnd: () => undefined,
  forceFlush: async () => undefined,
  shutdown: async () => undefined,
}

test('calls to OpenAI traced by OpenLLMetry are turns of their conversation, with model, tokens and messages', async () => {
  const projectId = 'acme/open-llmetry'
  vi.stubEnv('OTEL_EXPORTER_OTLP_ENDPOINT', `${service.url}/otel`)
  vi.stubEnv('OTEL_EXPORTER_OTLP_HEADERS', `Authorization=${encodeURIComponent(service.credentials)},project_id=${projectId}`)
  const provider = startTracing([inConversation])
  const instrumentation = new OpenAIInstrumentation()
  instrumentation.setTracerProvider(provider)
  instrumentation.manuallyInstrument(OpenAI)
  const client = new OpenAI({ apiKey: 'none', baseURL: endpoint.baseURL, maxRetries: 0 })
  const ask = (content: string) => client.chat.completions.create({ model: 'gpt-4o', messages: [{ role: 'user', content }] })

  const workflow = provider.getTracer('workflow').startSpan('workflow', { attributes: { 'traceloop.span.kind': 'workflow' } })
  await context.with(trace.setSpan(context.active(), workflow), async () => {
    await ask('one')
    await ask('two')
  })
  workflow.end()
  await ask('three')
  await provider.shutdown()

  await service.setPrice(projectId, 'gpt-4o-2024-08-06', { prompt_token_cost: 0.001, completion_token_cost: 0.01 })
  const spans = await service.spans(projectId)
  expect(spans).toHaveLength(4)
  expect(spans.filter(({ parent_id }) => parent_id === workflow.spanContext().spanId)).toHaveLength(2)
  expect(spans.find(({ inputs }) => JSON.stringify(inputs)?.includes('one'))).toMatchObject({
    inputs: { 'gen_ai.input.messages': [{ role: 'user' }] },
    output: { 'gen_ai.output.messages': [{ role: 'assistant' }] },
    summary: { usage: { 'gpt-4o-2024-08-06': { requests: 1, input_tokens: 21, output_tokens: 7, total_tokens: 28 } } },
  })
  const call = spans.find(({ inputs }) => JSON.stringify(inputs)?.includes('two'))
  expect(call?.summary).toMatchObject({
    weave: {
      costs: {
        'gpt-4o-2024-08-06': {
          prompt_tokens: 21,
          prompt_tokens_total_cost: expect.closeTo(0.021, 9),
          completion_tokens_total_cost: expect.closeTo(0.07, 9),
        },
      },
    },
  })
  expect(spans.filter(({ id, turn_id }) => id === turn_id).map(({ id }) => id)).toContain(workflow.spanContext().spanId)
  expect(await service.threads(projectId)).toMatchObject([
    { thread_id: 'conversation-3', turn_count: 2, first_turn_id: workflow.spanContext().spanId },
  ])
})

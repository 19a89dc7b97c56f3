import { setSession } from '@arizeai/openinference-core'
import { OpenAIInstrumentation } from '@arizeai/openinference-instrumentation-openai'
import { context, trace } from '@opentelemetry/api'
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

test('calls to OpenAI traced by OpenInference are turns of their session, with model, tokens and messages', async () => {
  const projectId = 'acme/open-inference'
  vi.stubEnv('OTEL_EXPORTER_OTLP_ENDPOINT', `${service.url}/otel`)
  vi.stubEnv('OTEL_EXPORTER_OTLP_HEADERS', `Authorization=${encodeURIComponent(service.credentials)},project_id=${projectId}`)
  const provider = startTracing()
  const instrumentation = new OpenAIInstrumentation({ tracerProvider: provider })
  instrumentation.manuallyInstrument(OpenAI)
  const client = new OpenAI({ apiKey: 'none', baseURL: endpoint.baseURL, maxRetries: 0 })
  const ask = (content: string) => client.chat.completions.create({ model: 'gpt-4o', messages: [{ role: 'user', content }] })

  // Two turns: an agent with two calls below it, and a call without a parent.
  const agent = await context.with(setSession(context.active(), { sessionId: 'session-7' }), async () => {
    const span = provider.getTracer('agent').startSpan('agent', { attributes: { 'session.id': 'session-7' } })
    await context.with(trace.setSpan(context.active(), span), async () => {
      await ask('one')
      await ask('two')
    })
    span.end()
    await ask('three')
    return span.spanContext()
  })
  await provider.shutdown()

  await service.setPrice(projectId, 'gpt-4o-2024-08-06', { prompt_token_cost: 0.001, completion_token_cost: 0.01 })
  const spans = await service.spans(projectId)
  expect(spans.map(({ thread_id }) => thread_id)).toEqual(Array.from({ length: 4 }, () => 'session-7'))
  expect(spans.filter(({ parent_id }) => parent_id === agent.spanId)).toHaveLength(2)
  expect(spans.find(({ inputs }) => JSON.stringify(inputs)?.includes('one'))).toMatchObject({
    inputs: { 'input.value': { model: 'gpt-4o', messages: [{ role: 'user', content: 'one' }] } },
    output: { 'output.value': { choices: [{ message: { content: 'You said: one' } }] } },
    summary: {
      usage: {
        'gpt-4o-2024-08-06': {
          requests: 1,
          input_tokens: 21,
          output_tokens: 7,
          total_tokens: 28,
          cache_read_input_tokens: 4,
          reasoning_tokens: 2,
        },
      },
    },
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
  expect(spans.filter(({ id, turn_id }) => id === turn_id).map(({ id }) => id)).toContain(agent.spanId)
  expect(await service.threads(projectId)).toMatchObject([{ thread_id: 'session-7', turn_count: 2, first_turn_id: agent.spanId }])
})

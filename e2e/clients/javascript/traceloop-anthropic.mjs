// Traceloop's SDK (OpenLLMetry) around Anthropic's client; the session is an association property.
import * as anthropic from 'anthropic-sdk-0'
import * as traceloop from '@traceloop/node-server-sdk'
import { anthropicTurns } from './anthropic-turns.mjs'
import { converse, getWeather } from './conversation.mjs'

traceloop.initialize({
  appName: 'support',
  baseUrl: process.env.OTEL_EXPORTER_OTLP_ENDPOINT,
  headers: { 'wandb-api-key': process.env.SPOOL_KEY, project_id: process.env.SPOOL_PROJECT },
  instrumentModules: { anthropic },
  silenceInitializationMessage: true,
})
const session = { [traceloop.AssociationProperty.SESSION_ID]: process.env.THREAD_ID }
const callTool = (input) => traceloop.withTool({ name: 'get_weather' }, async () => getWeather(input))
const turns = anthropicTurns(new anthropic.Anthropic({ maxRetries: 0 }), callTool)
const inWorkflow = (name, run) => (question) => traceloop.withWorkflow({ name, associationProperties: session }, run, question)
await converse({
  askWeather: inWorkflow('ask_weather', turns.askWeather),
  sayHello: inWorkflow('say_hello', turns.sayHello),
  fail: inWorkflow('fail', turns.fail),
})
await traceloop.forceFlush()

// Weave 0.11: ops, and Anthropic's client, which Weave patches when CommonJS loads it.
import { createRequire } from 'node:module'
import * as weave from 'weave-0.11'
import { converse, getWeather } from './conversation.mjs'
import { anthropicTurns } from './anthropic-turns.mjs'

const client = await weave.init(process.env.SPOOL_PROJECT)
const Anthropic = createRequire(import.meta.url)('@anthropic-ai/sdk')
const turns = anthropicTurns(new Anthropic({ maxRetries: 0 }), weave.op(getWeather))
await converse({ askWeather: weave.op(turns.askWeather), sayHello: weave.op(turns.sayHello), fail: weave.op(turns.fail) })
await client.waitForBatchProcessing()

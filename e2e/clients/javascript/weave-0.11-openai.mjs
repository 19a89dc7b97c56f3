// Weave 0.11: ops, and OpenAI's client in its wrapper.
import OpenAI from 'openai'
import * as weave from 'weave-0.11'
import { converse, getWeather } from './conversation.mjs'
import { openAiTurns } from './openai-turns.mjs'

const client = await weave.init(process.env.SPOOL_PROJECT)
const openai = weave.wrapOpenAI(new OpenAI({ maxRetries: 0 }))
const turns = openAiTurns(openai, weave.op(getWeather))
await converse({ askWeather: weave.op(turns.askWeather), sayHello: weave.op(turns.sayHello), fail: weave.op(turns.fail) })
await client.waitForBatchProcessing()

// An application that traces with the unchanged Weave SDK. The environment names the server.
// The last line of its output is JSON with the results.
import OpenAI from 'openai'
import * as weave from 'weave'

const [projectId = '', completionsUrl = ''] = process.argv.slice(2)
const client = await weave.init(projectId, { globalAttributes: { deployment: 'grün' } })

const retrieve = weave.op(async function retrieve(question) {
  return [`about ${question}`, 'naïve 日本語 😀']
})
const answer = weave.op(async function answer(question) {
  const documents = await retrieve(question)
  return { text: `„${question}“: ${documents.length}`, nothing: null }
})
const fail = weave.op(async function fail(reason) {
  await retrieve(reason)
  throw new Error(`Kaputt: ${reason}`)
})
const measure = weave.op(async function measure(text) {
  return text.length
})

const [answered, answerCall] = await weave.withAttributes({ request: 'r-1' }, () => answer.invoke('wozu?'))
await client.waitForBatchProcessing()
await answerCall.setDisplayName('Wozu? – später benannt')
await measure('abc')

// An integration may send an invalid call in one batch with valid ones.
client.saveCallStart({ project_id: projectId, id: 'no id', op_name: 'bad', started_at: 'never' })
const failure = await fail('mit Absicht').catch((error) => error.message)

const large = 'ä'.repeat(3_000_000)
await measure(large)

const openai = weave.wrapOpenAI(new OpenAI({ baseURL: completionsUrl, apiKey: 'unused' }))
const completion = await openai.chat.completions.create({
  model: 'gpt-4o-mini',
  messages: [{ role: 'user', content: 'Say hello' }],
})

const dataset = new weave.Dataset({
  name: 'capitals',
  description: 'Hauptstädte',
  rows: [
    { country: 'France', capital: 'Paris' },
    { country: 'Österreich', capital: 'Wien' },
    { country: 'Österreich', capital: 'Wien' },
  ],
})
const datasetRef = await dataset.save()
const readBack = await client.get(datasetRef)

const guess = weave.op(async function guess({ datasetRow }) {
  return datasetRow.country === 'France' ? 'Paris' : 'Graz'
})
const isRight = weave.op(function isRight({ modelOutput, datasetRow }) {
  return modelOutput === datasetRow.capital
})
const evaluation = new weave.Evaluation({ name: 'capital-quiz', dataset, scorers: [isRight] })
const summary = await evaluation.evaluate({ model: guess })

const logger = new weave.EvaluationLogger({ name: 'by-hand', dataset: 'none', model: { name: 'me' } })
const prediction = logger.logPrediction({ question: 'wozu?' }, 'darum')
void prediction.logScore('politeness', 0.75)
void prediction.finish()
await logger.logSummary()

const image = weave.weaveImage({ data: Buffer.from([0x89, 0x50, 0, 0xff, 0x0d, 0x0a, 0xfe]), imageType: 'png' })
const draw = weave.op(async function draw() {
  return { image }
})
await draw()

await client.waitForBatchProcessing()
console.log(
  JSON.stringify({
    answered,
    answerCallId: answerCall.id,
    failure,
    completion: completion.choices[0].message.content,
    datasetRef: datasetRef.uri(),
    readBack: readBack.rows.rows.map(({ __savedRef: ref, ...row }) => ({ row, ref: ref.uri() })),
    summary,
  }),
)

import { expect, test } from 'vitest'
import { toAnswerRows } from './answer-rows'
import { formatAnswers } from './save-answers'
import { toDatasetName, toDatasetValue } from './save-dataset'

const queue = { id: 'q', project_id: 'acme/support' }
const ref = 'weave:///acme/support/object/tone:abc'
const answer = { annotation_ref: ref, created_at: '2026-01-01T00:00:00Z', answer_count: 1 }
const item = {
  item_id: 'i',
  call_id: 'c',
  disagreements: ['tone'],
  answers: [
    { ...answer, scorer: 'tone', annotator: 'ann', value: '=1+1', feedback_id: 'f1' },
    { ...answer, scorer: 'note', annotator: 'bob', value: ['a', 'b'], feedback_id: 'f2' },
  ],
}
const version = {
  object_id: 'tone',
  digest: 'abc',
  version_index: 2,
  created_at: null,
  base_object_class: null,
  wb_user_id: null,
}
const rows = toAnswerRows(queue, item, new Map([[ref, { ...version, val: null }]]))

async function formatAll(format: 'csv' | 'jsonl') {
  let text = ''
  async function* parts() {
    yield rows
    yield []
  }
  for await (const part of formatAnswers(format, parts())) text += part.text
  return text
}

test('an answer is exported with the references and versions of what it is for', () => {
  expect(rows[0]).toEqual({
    queue_id: 'q',
    item_id: 'i',
    call_id: 'c',
    call_ref: 'weave:///acme/support/call/c',
    scorer: 'tone',
    scorer_version: 'v2',
    scorer_ref: ref,
    annotator: 'ann',
    value: '=1+1',
    is_disagreement: true,
    answer_count: 1,
    answered_at: '2026-01-01T00:00:00Z',
    feedback_id: 'f1',
  })
  expect(rows[1]).toMatchObject({ value: ['a', 'b'], is_disagreement: false })
})

test('a file of CSV runs no formula, and lists are JSON in it', async () => {
  const [head, first, second] = (await formatAll('csv')).split('\r\n')
  expect(head).toMatch(/^queue_id,item_id,call_id,call_ref,scorer,/)
  expect(first).toContain(",ann,'=1+1,true,")
  expect(second).toContain('"[""a"",""b""]"')
})

test('a file of JSON lines has a row in each line, as it is', async () => {
  const lines = (await formatAll('jsonl')).trimEnd().split('\n')
  expect(lines.map((line): unknown => JSON.parse(line))).toEqual(rows)
})

test.each([
  ['Slow answers, June!', 'Slow-answers-June-results'],
  ['Übung', 'Ubung-results'],
  ['日本', 'queue-results'],
  ['a'.repeat(300), `${'a'.repeat(100)}-results`],
])('the dataset of the queue %j is %j', (name, expected) => {
  expect(toDatasetName(name)).toBe(expected)
})

test('a dataset refers to its rows as Weave writes it', () => {
  expect(toDatasetValue('x', 'd', 'acme/support', 'f00')).toEqual({
    _type: 'Dataset',
    name: 'x',
    description: 'd',
    rows: 'weave:///acme/support/table/f00',
    _class_name: 'Dataset',
    _bases: ['Object', 'BaseModel'],
  })
})

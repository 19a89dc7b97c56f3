// @vitest-environment happy-dom
import { useState } from 'react'
import { afterEach, expect, test, vi } from 'vitest'
import type { Queue } from '../../../contract/queues'
import { click, findButton, render, stubService, waitFor } from '../../../testing/render'
import { QueueScorers, type ScorerNotice } from './QueueScorers'

afterEach(() => {
  document.body.innerHTML = ''
  vi.unstubAllGlobals()
})

const queue: Queue = {
  id: 'q1',
  project_id: 'acme/support',
  name: 'Refunds',
  description: '',
  scorer_refs: ['weave:///acme/support/object/Tone:digest0'],
  created_at: '2026-01-01T00:00:00Z',
  created_by: 'ann',
  updated_at: '2026-01-01T00:00:00Z',
  deleted_at: null,
  reviews_per_item: 1,
  assignees: [],
}
const spec = (version_index: number, choices: string[]) => ({
  object_id: 'Tone',
  digest: `digest${version_index}`,
  version_index,
  created_at: '2026-01-01T00:00:00Z',
  base_object_class: 'AnnotationSpec',
  wb_user_id: 'bob',
  val: {
    _class_name: 'AnnotationSpec',
    name: 'Tone',
    description: 'How it sounds',
    field_schema: { type: 'string', enum: choices },
  },
})
const other = 'weave:///acme/support/object/Other:v1'
const ref = (version: string) => `weave:///acme/support/object/Tone:${version}`

function Scorers({ queue: shown }: { queue: Queue }) {
  const [done, setDone] = useState<ScorerNotice>()
  return <QueueScorers queue={shown} done={done} onDone={setDone} />
}

/** The queue as the service has it: others may have changed it since the page read it. */
async function renderScorers(scorer_refs: string[], stored: unknown[] = [], serviceRefs = scorer_refs) {
  let refs = serviceRefs
  const requests = stubService({
    '/objs/query': () => Response.json({ objs: stored }),
    '/annotation_queues/q1?project_id=acme%2Fsupport': () => Response.json({ queue: { ...queue, scorer_refs: refs } }),
    '/annotation_queues/q1': ({ scorer_refs: changed }) => {
      refs = changed as string[] // what the page sends
      return Response.json({ queue: { ...queue, scorer_refs: refs } })
    },
  })
  const { host } = await render(<Scorers queue={{ ...queue, scorer_refs }} />)
  return {
    host,
    sent: () => requests.filter(({ path }) => path === '/annotation_queues/q1').map(({ body }) => body['scorer_refs']),
  }
}

test('a queue moves to a newer version after it said what changed, and back', async () => {
  const { host, sent } = await renderScorers([ref('digest0'), other], [spec(0, ['a', 'b']), spec(1, ['a', 'c'])])
  await waitFor(() => expect(host.textContent).toContain('A newer version exists: v1'))
  expect([...host.querySelectorAll('[aria-label="What changed"] li')].map(({ textContent }) => textContent)).toEqual([
    'Category removed: b',
    'Category added: c',
  ])
  expect(host.textContent).toContain('Answers given for v0 stay as they are')
  await click(findButton(host, 'Move this queue to v1'))
  await waitFor(() => expect(host.textContent).toContain('The queue uses v1 of Tone now.'))
  await click(findButton(host, 'Undo'))
  await waitFor(() =>
    expect(sent()).toEqual([
      [ref('digest1'), other],
      [ref('digest0'), other],
    ]),
  )
})

test('a scorer that somebody else added meanwhile stays when one is removed', async () => {
  const { host, sent } = await renderScorers([ref('digest0')], [spec(0, ['a', 'b'])], [ref('digest0'), other])
  await click(findButton(host, 'Remove Tone'))
  await waitFor(() => expect(sent()).toEqual([[other]]))
})

test('a scorer that somebody else removed meanwhile is not brought back', async () => {
  const { host, sent } = await renderScorers([ref('digest0')], [spec(0, ['a']), spec(1, ['b'])], [other])
  await waitFor(() => expect(findButton(host, 'Move this queue to v1')).toBeDefined())
  await click(findButton(host, 'Move this queue to v1'))
  await waitFor(() => expect(host.querySelector('[role=alert]')?.textContent).toContain('Somebody else'))
  expect(sent()).toEqual([])
})

test.each([
  ['of another project', 'weave:///other/team/object/Tone:v0', 'other project'],
  ['of a version that is gone', ref('gone'), 'not found'],
  ['of an object that is gone', 'weave:///acme/support/object/Gone:v0', 'not found'],
  ['of another class', 'weave:///acme/support/object/Judge:v0', 'no answers'],
  ['that nobody can read', 'nonsense', 'malformed'],
])('a reference %s is named with the reason, and can only be removed', async (_, scorerRef, state) => {
  const judge = { ...spec(0, []), object_id: 'Judge', base_object_class: 'Scorer', val: { _class_name: 'Scorer' } }
  const { host } = await renderScorers([scorerRef], [spec(0, ['a']), judge])
  await waitFor(() => expect(host.querySelector('li')?.textContent).toContain(state))
  const names = [...host.querySelectorAll('li button')].map((button) => button.getAttribute('aria-label'))
  expect(names.map((name) => name?.split(' ')[0])).toEqual(['Copy', 'Remove'])
})

test('a reference to the latest version has no newer one', async () => {
  const { host } = await renderScorers([ref('latest')], [spec(0, ['a']), spec(1, ['b'])])
  await waitFor(() => expect(host.textContent).toContain('latest (v1)'))
  expect(host.textContent).not.toContain('newer')
})

test('a service that lists no objects is said to be one, and the names stay', async () => {
  stubService({})
  const { host } = await render(<Scorers queue={queue} />)
  await waitFor(() => expect(host.textContent).toContain('Only the names of the scorers are known'))
  expect(host.querySelector('h2')?.textContent).toBe('Tone digest0')
})

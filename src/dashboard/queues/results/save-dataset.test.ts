// @vitest-environment happy-dom
import { afterEach, expect, test, vi } from 'vitest'
import { connection, stubService } from '../../../testing/render'
import { type AnswerRow, toAnswerRows } from './answer-rows'
import { saveDataset } from './save-dataset'

afterEach(() => {
  vi.unstubAllGlobals()
})

const queue = { id: 'q', name: 'Tone', project_id: 'acme/support' }
const item = { item_id: 'i', call_id: 'c', disagreements: [], answers: [] }

function toRows(count: number): AnswerRow[] {
  const answer = { scorer: 's', annotator: 'ann', annotation_ref: 'r', created_at: '2026-01-01T00:00:00Z', answer_count: 1 }
  const answers = Array.from({ length: count }, (_, value) => ({ ...answer, value, feedback_id: String(value) }))
  return toAnswerRows(queue, { ...item, answers }, new Map())
}

async function save(count: number, join: (digests: string[]) => Response) {
  const requests = stubService({
    '/table/create': ({ table }) => {
      const { rows } = table as { rows: AnswerRow[] } // as it was just sent
      return Response.json({ digest: 'part', row_digests: rows.map(({ feedback_id: id }) => id) })
    },
    '/table/create_from_digests': ({ row_digests: digests }) => join(digests as string[]), // as above
    '/obj/create': ({ obj }) => Response.json({ digest: 'd', object_id: (obj as { object_id: string }).object_id }), // as above
  })
  async function* parts() {
    for (let start = 0; start < count; start += 2000) yield toRows(Math.min(2000, count - start))
  }
  const controller = new AbortController()
  const saving = saveDataset(queue, parts(), { connection, signal: controller.signal, onProgress: () => undefined })
  return { requests, saving }
}

const toTable = (digests: string[]) => Response.json({ digest: `table-of-${digests.length}` })

test('answers become one dataset', async () => {
  const { saving } = await save(5000, toTable)
  expect(await saving).toEqual({ refs: ['weave:///acme/support/object/Tone-results:d'], count: 5000 })
})

test.each([413, 422])(
  'what a service refuses as too long for one table (%i) becomes several datasets, in order',
  async (status) => {
    const { saving, requests } = await save(5000, (digests) =>
      digests.length > 3000 ? Response.json({ detail: 'too long' }, { status }) : toTable(digests),
    )
    const refs = [1, 2].map((part) => `weave:///acme/support/object/Tone-results-${part}-of-2:d`)
    expect(await saving).toEqual({ refs, count: 5000 })
    const stored = requests.filter(({ path }) => path === '/obj/create').map(({ body }) => JSON.stringify(body))
    expect(stored.map((text) => text.includes('table-of-2500'))).toEqual([true, true])
  },
)

test('a refusal for another reason is told, and nothing is split', async () => {
  const { saving, requests } = await save(900, () => Response.json({ detail: 'No such project' }, { status: 422 }))
  await expect(saving).rejects.toThrow('No such project')
  expect(requests.filter(({ path }) => path === '/table/create_from_digests')).toHaveLength(1)
})

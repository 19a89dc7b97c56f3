// @vitest-environment happy-dom
import { act } from 'react'
import { afterEach, expect, test, vi } from 'vitest'
import type { ReceivedObject } from '../../../contract/received-objects'
import { click, fill, findButton, render, stubService, waitFor } from '../../../testing/render'
import { ScorerEditor, type StoredScorer } from './ScorerEditor'

afterEach(() => {
  document.body.innerHTML = ''
  sessionStorage.clear()
  vi.unstubAllGlobals()
})

type Routes = Parameters<typeof stubService>[0]

function version(index: number, field_schema: object, more: Partial<ReceivedObject> = {}): ReceivedObject {
  const val = { _class_name: 'AnnotationSpec', name: 'Tone', description: null, field_schema, op_scope: ['x'] }
  const meta = { object_id: 'Tone', created_at: '2026-01-01T00:00:00Z', base_object_class: 'AnnotationSpec', wb_user_id: 'bob' }
  return { ...meta, digest: `digest${index}`, version_index: index, val, ...more }
}
const yesNo = version(0, { type: 'boolean' })

/** The versions that the service has: a test may add some while the editor is open. */
async function renderEditor(stored: ReceivedObject[], base?: ReceivedObject, routes: Routes = {}) {
  const requests = stubService({
    '/objs/query': () => Response.json({ objs: stored }),
    '/obj/create': () => {
      stored.push(version(stored.length, {}, { digest: 'own', wb_user_id: 'ann' }))
      return Response.json({ digest: 'own', object_id: 'Tone' })
    },
    ...routes,
  })
  const done: StoredScorer[] = []
  const { host, unmount } = await render(<ScorerEditor base={base} onStored={(scorer) => done.push(scorer)} />)
  return {
    host,
    done,
    unmount,
    name: host.querySelector<HTMLInputElement>('#scorer-name')!,
    created: () => requests.filter(({ path }) => path === '/obj/create').map(({ body }) => body['obj']),
    choose: (type: string) => click(host.querySelector(`input[value="${type}"]`)),
    save: () => click(host.querySelector('button[type=submit]')),
  }
}

test('a scorer is stored as an annotation spec, and its reference is handed on', async () => {
  const { name, created, choose, save, done, host } = await renderEditor([])
  await fill(name, 'Polite tone?')
  await fill(host.querySelector<HTMLTextAreaElement>('#scorer-description')!, 'How it sounds')
  await choose('number')
  await save()
  await waitFor(() => expect(done).toHaveLength(1))
  expect(created()).toEqual([
    {
      project_id: 'acme/support',
      object_id: 'Polite-tone',
      val: {
        name: 'Polite tone?',
        description: 'How it sounds',
        field_schema: { type: 'integer', minimum: 1, maximum: 5 },
      },
      builtin_object_class: 'AnnotationSpec',
    },
  ])
  expect(done[0]?.ref).toBe('weave:///acme/support/object/Polite-tone:own')
})

test('a double click stores one version', async () => {
  const { host, name, created, done } = await renderEditor([])
  await fill(name, 'Tone')
  const button = findButton(host, 'Save scorer')
  await act(async () => {
    button?.click()
    button?.click()
  })
  await waitFor(() => expect(done).toHaveLength(1))
  expect(created()).toHaveLength(1)
})

test('what is missing is said at its field, which gets the focus, and nothing is sent', async () => {
  const { host, name, created, choose, save } = await renderEditor([])
  await save()
  expect(document.activeElement).toBe(name)
  await fill(name, 'Tone')
  await choose('category')
  await save()
  expect(host.textContent).toContain('At least two categories are needed.')
  expect(document.activeElement?.id).toBe('scorer-choices')
  expect(created()).toEqual([])
})

test('who takes the name of a scorer is told before it becomes a version of it', async () => {
  const { host, name, created, save, done } = await renderEditor([yesNo])
  await fill(name, 'Tone')
  await save()
  await waitFor(() => expect(host.textContent).toContain('Tone exists already: this makes v1. Queues with v0 keep it.'))
  expect(created()).toEqual([])
  await click(findButton(host, 'Save as v1'))
  await waitFor(() => expect(done[0]?.notice).toBe('Saved Tone as v1.'))
})

test('a name that an object of another class has is refused', async () => {
  const { host, name, created, save } = await renderEditor([{ ...yesNo, base_object_class: 'Dataset' }])
  await fill(name, 'Tone')
  await save()
  await waitFor(() => expect(host.querySelector('#scorer-name-note')?.textContent).toContain('(Dataset). Choose another name.'))
  await save()
  expect(created()).toEqual([])
})

test('the second of two people who edit a scorer is told what the first one changed, and both versions stay', async () => {
  const stored = [yesNo]
  const { host, created, choose, save, done } = await renderEditor(stored, yesNo)
  await choose('text')
  stored.push(version(1, { type: 'integer' }))
  await save()
  await waitFor(() => expect(host.textContent).toContain('v1 was saved by bob after v0, which you edit. Yours becomes v2'))
  expect(host.textContent).toContain('Answer: yes or no → whole number')
  expect(created()).toEqual([])
  await save()
  await waitFor(() => expect(done[0]?.notice).toBe('Saved Tone as v2.'))
  expect(created()).toMatchObject([{ val: { field_schema: { type: 'string', minLength: 1 }, op_scope: ['x'] } }])
})

test('who saved at the same moment is named afterwards', async () => {
  const stored = [yesNo]
  const { choose, save, done } = await renderEditor(stored, yesNo, {
    '/obj/create': () => {
      stored.push(version(1, { type: 'integer' }), version(2, { type: 'string' }, { digest: 'own' }))
      return Response.json({ digest: 'own' })
    },
  })
  await choose('text')
  await waitFor(() => expect(document.body.textContent).toContain('This makes v1 of Tone.'))
  await save()
  await waitFor(() => expect(done[0]?.notice).toBe('Saved Tone as v2. v1 was saved at the same moment by bob; both stay.'))
})

test('saving without a change says that the version is there already', async () => {
  const { host, save, done } = await renderEditor([yesNo], yesNo, { '/obj/create': () => Response.json({ digest: 'digest0' }) })
  await waitFor(() => expect(host.textContent).toContain('This makes v1'))
  await save()
  await waitFor(() => expect(done[0]?.notice).toBe('Nothing was changed: this is v0 of Tone.'))
})

test('a problem of the service is shown at its field, and what was typed stays, also for the next editor', async () => {
  const loc = ['body', 'obj', 'val', 'field_schema']
  const { host, name, choose, save, unmount } = await renderEditor([], undefined, {
    '/obj/create': () => Response.json({ detail: [{ loc, msg: 'Too many.', type: 'x' }] }, { status: 422 }),
  })
  await fill(name, 'Tone')
  await choose('text')
  await save()
  await waitFor(() => expect(host.querySelector('#scorer-maxLength-note')?.textContent).toBe('Too many.'))
  await unmount()
  const next = await renderEditor([])
  expect(next.name.value).toBe('Tone')
  await click(findButton(next.host, 'Discard changes'))
  expect(next.name.value).toBe('')
})

test('a failure that is nobody’s field says that it is safe to save again', async () => {
  const { host, name, save } = await renderEditor([], undefined, {
    '/obj/create': () => Response.json({ detail: 'The disk is full.' }, { status: 503 }),
  })
  await fill(name, 'Tone')
  await save()
  await waitFor(() => expect(host.querySelector('[role=alert]')?.textContent).toContain('The disk is full.'))
  expect(name.value).toBe('Tone')
})

test('a service that cannot list versions stores the scorer all the same', async () => {
  const { name, save, done } = await renderEditor([], undefined, { '/objs/query': () => new Response('', { status: 404 }) })
  await fill(name, 'Tone')
  await save()
  await waitFor(() => expect(done[0]?.notice).toBe('Saved Tone.'))
})

test('answers that the editor has no fields for are shown as JSON and stay as they are', async () => {
  const tags = version(0, { type: 'array', items: { type: 'string' } })
  const { host, created, save, done } = await renderEditor([tags], tags)
  expect(host.querySelector('pre')?.textContent).toContain('"array"')
  await waitFor(() => expect(host.textContent).toContain('This makes v1'))
  await fill(host.querySelector<HTMLTextAreaElement>('#scorer-description')!, 'New')
  await save()
  await waitFor(() => expect(done).toHaveLength(1))
  expect(created()).toMatchObject([{ val: { description: 'New', field_schema: { type: 'array' } } }])
})

test('categories are added, moved and removed by keyboard, and pasted many at once', async () => {
  const { host, choose } = await renderEditor([])
  await choose('category')
  const fields = () => [...host.querySelectorAll<HTMLInputElement>('ol input')]
  const press = (key: string, more: KeyboardEventInit = {}) =>
    act(
      async () =>
        void document.activeElement?.dispatchEvent(
          new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true, ...more }),
        ),
    )
  fields()[0]?.focus()
  const clipboardData = new DataTransfer()
  clipboardData.setData('text', 'warm\r\ncold\n\nrude')
  await act(
    async () => void fields()[0]?.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true })),
  )
  expect(fields().map(({ value }) => value)).toEqual(['warm', 'cold', 'rude', ''])
  expect(document.activeElement).toBe(fields()[2])
  await press('ArrowUp', { altKey: true })
  expect(fields().map(({ value }) => value)).toEqual(['warm', 'rude', 'cold', ''])
  expect(document.activeElement).toBe(fields()[1])
  await press('Enter')
  expect(fields().map(({ value }) => value)).toEqual(['warm', 'rude', '', 'cold', ''])
  await press('Backspace')
  expect(fields().map(({ value }) => value)).toEqual(['warm', 'rude', 'cold', ''])
  expect(document.activeElement).toBe(fields()[1])
  await click(findButton(host, 'Remove category 1'))
  expect(fields().map(({ value }) => value)).toEqual(['rude', 'cold', ''])
})

test('the preview of many categories is the search that reviewers get', async () => {
  const many = version(0, { type: 'string', enum: Array.from({ length: 31 }, (_, index) => `intent ${index}`) })
  const { host } = await renderEditor([many], many)
  const search = host.querySelector<HTMLInputElement>('[aria-label=Preview] [role=combobox]')!
  await fill(search, '30')
  const options = [...host.querySelectorAll('[aria-label=Preview] [role=option]')]
  expect(options.map(({ textContent }) => textContent)).toEqual([expect.stringContaining('intent 30')])
})

test('a hundred categories and more are one text, a line each, and are stored as categories', async () => {
  const { host, name, choose, save, created, done } = await renderEditor([])
  await fill(name, 'Intent')
  await choose('category')
  const clipboardData = { getData: () => Array.from({ length: 3000 }, (_, index) => `intent ${index}`).join('\n') }
  const first = host.querySelector<HTMLInputElement>('#scorer-choices')!
  await act(async () =>
    first.dispatchEvent(Object.assign(new Event('paste', { bubbles: true, cancelable: true }), { clipboardData })),
  )
  const text = host.querySelector<HTMLTextAreaElement>('textarea#scorer-choices')!
  expect(document.activeElement).toBe(text)
  await fill(text, `first\n${text.value.trim()}`)
  await save()
  await waitFor(() => expect(done).toHaveLength(1))
  const [obj] = created() as { val: { field_schema: { enum: string[] } } }[] // as the editor sent it
  expect(obj?.val.field_schema.enum).toHaveLength(3001)
  expect(obj?.val.field_schema.enum.slice(0, 2)).toEqual(['first', 'intent 0'])
})

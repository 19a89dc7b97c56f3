import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { QueueItem } from '../../../contract/queue-items'
import { StatusError, UnreachableError, ValidationError } from '../../client/api-error'
import { toAnswerControl } from './answer-control'
import { pickCandidate } from './pick-candidate'
import type { ReviewDraft } from './review-drafts'
import { findObstacle, type ReviewApi, ReviewSession } from './review-session'
import { type AnswerField, isUnsaved } from './sent-answers'

const toItem = (id: string, more: Partial<QueueItem> = {}): QueueItem => ({
  id,
  project_id: 'acme/support',
  queue_id: 'q',
  call_id: `call-${id}`,
  call_started_at: '2026-01-01T00:00:00Z',
  call_op_name: 'answer',
  call_trace_id: 't',
  display_fields: [],
  annotation_state: 'unstarted',
  created_at: '2026-01-01T00:00:00Z',
  created_by: 'admin',
  updated_at: '2026-01-01T00:00:00Z',
  reviews: [],
  required_reviews: 1,
  lease: null,
  ...more,
})

const schema = { type: 'boolean' }
const good: AnswerField = {
  ref: 'good',
  name: 'good',
  title: 'Good',
  description: null,
  schema,
  control: toAnswerControl(schema),
}
const noteSchema = { type: 'string' }
const note: AnswerField = { ...good, ref: 'note', name: 'note', schema: noteSchema, control: toAnswerControl(noteSchema) }

const conflict = (type: string) =>
  new StatusError({ method: 'POST', path: '/x' }, 409, {
    problems: [{ loc: [], msg: `It is ${type}.`, type }],
    text: `It is ${type}.`,
  })
const offline = () => new UnreachableError({ method: 'POST', path: '/x' })

/** A queue of this length with one reviewer; `log` has what was asked for, in order. */
class Service implements ReviewApi {
  readonly log: string[] = []
  readonly items: QueueItem[]
  /** Thrown by the next request whose line in the log begins with this. */
  failures = new Map<string, Error>()
  constructor(count: number) {
    this.items = Array.from({ length: count }, (_, index) => toItem(String(index + 1)))
  }
  private async ask<Reply>(line: string, reply: () => Reply): Promise<Reply> {
    this.log.push(line)
    await Promise.resolve()
    for (const [start, error] of this.failures) {
      if (!line.startsWith(start)) continue
      this.failures.delete(start)
      throw error
    }
    return reply()
  }
  private change(id: string, more: Partial<QueueItem>): QueueItem {
    const index = this.items.findIndex((item) => item.id === id)
    const item = { ...(this.items[index] ?? toItem(id)), ...more }
    this.items[index] = item
    return item
  }
  private isOpen = ({ annotation_state: state }: QueueItem) => state === 'unstarted' || state === 'in_progress'
  private take = (id: string) => this.change(id, { lease: { annotator: 'ann', expires_at: '2026-01-01T00:10:00Z' } })
  next = () =>
    this.ask('next', () => {
      const open = this.items.filter(this.isOpen)
      const found = open.find(({ lease }) => lease?.annotator === 'ann') ?? open.find(({ lease }) => lease === null)
      return { item: found ? this.take(found.id) : null }
    })
  lease = (id: string) => this.ask(`lease ${id}`, () => ({ item: this.take(id) }))
  release = (id: string) => {
    this.log.push(`release ${id}`)
    this.change(id, { lease: null })
  }
  mark = (id: string, state: QueueItem['annotation_state']) =>
    this.ask(`${state} ${id}`, () => this.change(id, { annotation_state: state, lease: null }))
  undoSkip = (id: string) =>
    this.ask(`undo skip ${id}`, () => {
      this.change(id, { annotation_state: 'in_progress' })
      return this.take(id)
    })
  save: ReviewApi['save'] = (item, answers) =>
    this.ask(`save ${item.id} ${answers.map(({ id, value }) => `${id}=${JSON.stringify(value)}`).join(' ')}`, () => undefined)
  remove: ReviewApi['remove'] = (ids) => this.ask(`remove ${ids.join(' ')}`, () => undefined)
  listOpen: ReviewApi['listOpen'] = async (offset) => this.items.filter(this.isOpen).slice(offset, offset + 50)
  readCompleted: ReviewApi['readCompleted'] = async (id) => {
    const item = this.items.find((each) => each.id === id)
    const own: ReviewDraft = { entered: { good: true }, sent: { good: { id: 'old', text: 'true', isStored: true } } }
    return item?.annotation_state === 'completed' ? { item, own } : undefined
  }
  preload = vi.fn<ReviewApi['preload']>()
}

let nowMs = 0
let retry: () => void = () => undefined
let drafts = new Map<string, ReviewDraft>()

function openSession(service: Service, fields = [good, note]) {
  let idCount = 0
  const session = new ReviewSession({
    api: service,
    drafts: {
      read: (id) => drafts.get(id),
      write: (id, draft) => void drafts.set(id, draft),
      remove: (id) => void drafts.delete(id),
    },
    fields,
    annotator: 'ann',
    newId: () => `id${(idCount += 1)}`,
    now: () => nowMs,
    waitForRetry: () => new Promise((resolve) => (retry = resolve)),
  })
  return session
}
const settle = () => vi.advanceTimersByTimeAsync(1)

/** A visit that begins with an item that was completed in an earlier one. */
async function openCompleted(service: Service, id: string) {
  await service.mark(id, 'completed')
  service.failures.set(`lease ${id}`, conflict('already_reviewed'))
  const session = openSession(service)
  await session.start(id)
  return session
}

beforeEach(() => {
  vi.useFakeTimers()
  nowMs = 0
  drafts = new Map()
})
afterEach(() => {
  vi.useRealTimers()
})

test('the answers are stored, then the next item shows, which was leased meanwhile, and the first is completed', async () => {
  const service = new Service(3)
  const session = openSession(service)
  await session.start('')
  session.enter('good', true)
  await session.done()
  expect(service.log).toEqual(['next', 'save 1 id1=true', 'lease 2', 'completed 1'])
  expect(session.current?.item.id).toBe('2')
  await settle()
  expect(drafts.size).toBe(0)
  expect(service.preload.mock.calls.map(([item]) => item.id)).toContain('2')
})

test('the next item shows in one step: the page is not drawn in between', async () => {
  const session = openSession(new Service(3))
  await session.start('')
  await settle()
  session.enter('good', true)
  const drawn: string[] = []
  session.subscribe(() => drawn.push(`${session.current?.item.id} ${session.getState().isBusy}`))
  await session.done()
  await settle()
  expect(drawn.filter((each) => each.startsWith('2'))).toEqual(['2 false'])
  expect(session.getState().isBusy).toBe(false)
})

test('an answer that is missing is refused in place, and nothing is sent', async () => {
  const service = new Service(2)
  const session = openSession(service)
  await session.start('')
  await session.done()
  expect(session.getState()).toMatchObject({ problems: { good: 'Choose one.' }, refusedCount: 1 })
  expect(service.log).toEqual(['next'])
  session.enter('good', false)
  expect(session.getState().problems).toEqual({})
})

test('an answer that the service refuses is named at its field', async () => {
  const service = new Service(2)
  const session = openSession(service)
  await session.start('')
  session.enter('good', true)
  session.enter('note', 'x')
  const problem = { loc: ['body', 'batch', '1', 'payload', 'value'], msg: 'Must match the pattern y.', type: 'value_error' }
  service.failures.set('save', new ValidationError({ method: 'POST', path: '/x' }, { problems: [problem], text: problem.msg }))
  await session.done()
  expect(session.getState()).toMatchObject({ problems: { note: 'Must match the pattern y.' }, index: 0 })
})

test('a second press while the first is being stored does nothing', async () => {
  const service = new Service(3)
  const session = openSession(service)
  await session.start('')
  session.enter('good', true)
  await Promise.all([session.done(), session.done(), session.skip()])
  expect(service.log.filter((line) => line.startsWith('save'))).toHaveLength(1)
  expect(session.getState().index).toBe(1)
})

test('what is pressed while the answers are being stored changes neither item', async () => {
  const service = new Service(2)
  const session = openSession(service)
  await session.start('')
  session.enter('good', true)
  const done = session.done()
  session.enter('good', false)
  await done
  expect(session.getState().entries.map(({ entered }) => entered)).toEqual([{ good: true }, {}])
})

test('at the end nothing is left', async () => {
  const service = new Service(1)
  const session = openSession(service)
  await session.start('')
  session.enter('good', true)
  await session.done()
  expect(session.getState()).toMatchObject({ phase: 'finished' })
})

test('of many open items the next one is leased as soon as all is answered, and once', async () => {
  const service = new Service(30)
  const session = openSession(service)
  await session.start('')
  session.enter('note', 'x')
  await settle()
  expect(service.log).toEqual(['next'])
  session.enter('good', true)
  session.enter('note', 'xy')
  await settle()
  expect(service.log).toEqual(['next', 'lease 2'])
  await session.done()
  await settle()
  expect(service.log).toEqual(['next', 'lease 2', 'save 1 id1=true id2="xy"', 'completed 1'])
  expect(session.current?.item.id).toBe('2')
})

describe('while the service is away', () => {
  test('an item whose answers are stored is completed later, and its draft stays until then', async () => {
    const service = new Service(2)
    const session = openSession(service)
    await session.start('')
    session.enter('good', true)
    service.failures.set('completed', offline())
    await session.done()
    await settle()
    expect(session.current?.item.id).toBe('2')
    expect(drafts.has('1')).toBe(true)
    retry()
    await settle()
    expect(drafts.has('1')).toBe(false)
    expect(service.log.filter((line) => line.startsWith('completed'))).toHaveLength(2)
  })

  test('a request is sent again by itself, with the same id', async () => {
    const service = new Service(2)
    const session = openSession(service)
    await session.start('')
    session.enter('good', true)
    service.failures.set('save', offline())
    const done = session.done()
    await settle()
    expect(session.getState()).toMatchObject({ isRetrying: true, index: 0 })
    retry()
    await done
    expect(service.log.filter((line) => line.startsWith('save'))).toEqual(['save 1 id1=true', 'save 1 id1=true'])
    expect(session.current?.item.id).toBe('2')
  })

  test('an answer whose reply was lost has the same id after a reload, and another answer another id', async () => {
    const service = new Service(2)
    const session = openSession(service)
    await session.start('')
    session.enter('good', true)
    service.failures.set('save', offline())
    void session.done()
    await settle()
    const again = openSession(service)
    await again.start('')
    expect(again.current?.entered).toEqual({ good: true })
    await again.done()
    expect(service.log.filter((line) => line.startsWith('save'))).toEqual(['save 1 id1=true', 'save 1 id1=true'])
    expect(drafts.size).toBe(0)
  })

  test('who goes on writing meanwhile sends it again by hand', async () => {
    const service = new Service(2)
    const session = openSession(service)
    await session.start('')
    session.enter('good', true)
    service.failures.set('save', offline())
    void session.done()
    await settle()
    session.enter('note', 'hm')
    expect(session.getState()).toMatchObject({ isBusy: false, isRetrying: false })
    retry()
    await settle()
    expect(session.getState().index).toBe(0)
    await session.done()
    expect(service.log.at(-2)).toBe('save 1 id1=true id2="hm"')
  })

  test.each(['completed', 'skipped'] as const)(
    '%s, but without a next item: it is said so, and tried again alone',
    async (mark) => {
      const service = new Service(3)
      const session = openSession(service)
      await session.start('')
      session.enter('good', true)
      const refused = new StatusError({ method: 'POST', path: '/x' }, 500, { problems: [], text: '' })
      service.failures = new Map(['lease', 'next'].map((line) => [line, refused]))
      await (mark === 'completed' ? session.done() : session.skip())
      expect(session.getState()).toMatchObject({ index: 0, failure: { title: 'The next item could not be opened' } })
      service.log.length = 0
      await session.retry()
      expect(service.log).toEqual(['next'])
      expect(session.current?.item.id).toBe('2')
    },
  )

  test('a refused decision is made again first, where the next item could not be opened either', async () => {
    const service = new Service(3)
    const session = openSession(service)
    await session.start('')
    session.enter('good', true)
    service.failures = new Map(['lease', 'next', 'completed'].map((line) => [line, conflict('queue_archived')]))
    await session.done()
    await settle()
    expect(session.current).toMatchObject({ item: { id: '1' }, decision: 'left' })
    await session.retry()
    await settle()
    expect(service.items[0]?.annotation_state).toBe('completed')
    expect(session.current?.item.id).toBe('2')
  })

  test('an item that is completed already is not completed twice when the next one could not be read', async () => {
    const service = new Service(1)
    const session = openSession(service)
    await session.start('')
    session.enter('good', true)
    service.failures.set('next', offline())
    const done = session.done()
    await settle()
    retry()
    await done
    expect(service.log).toEqual(['next', 'save 1 id1=true', 'completed 1', 'next', 'next'])
    expect(session.getState().phase).toBe('finished')
  })
})

describe('skip and undo', () => {
  test('skips are stored at once, and taken back one after the other', async () => {
    const service = new Service(4)
    const session = openSession(service)
    await session.start('')
    session.enter('note', 'hm')
    for (const _ of [1, 2, 3]) await session.skip()
    await settle()
    expect(session.current?.item.id).toBe('4')
    expect(service.log).toEqual(['next', 'lease 2', 'skipped 1', 'lease 3', 'skipped 2', 'lease 4', 'skipped 3'])
    for (const id of ['3', '2', '1']) {
      await session.undo()
      expect(session.current).toMatchObject({ item: { id }, decision: undefined, lease: 'held' })
      expect(session.getState().notice).toEqual({ tone: 'good', text: 'The skip is taken back.' })
    }
    expect(session.current?.entered).toEqual({ note: 'hm' })
    expect(service.log.slice(7)).toEqual(['undo skip 3', 'undo skip 2', 'undo skip 1'])
    session.enter('good', true)
    await session.done()
    expect(session.current?.item.id).toBe('2')
  })

  test('undo on an item that was skipped takes this skip back, and the others stay', async () => {
    const service = new Service(4)
    const session = openSession(service)
    await session.start('')
    await session.skip()
    await session.skip()
    await session.step(-1)
    await session.step(-1)
    expect(session.current).toMatchObject({ item: { id: '1' }, decision: 'skipped' })
    await session.undo()
    expect(session.current).toMatchObject({ item: { id: '1' }, decision: undefined })
    await session.undo()
    expect(session.current?.item.id).toBe('2')
    await session.undo()
    expect(session.getState().notice).toEqual({ tone: 'info', text: 'There is nothing to undo.' })
  })

  test('a skip that somebody else made final stays, and why is said', async () => {
    const service = new Service(3)
    const session = openSession(service)
    await session.start('')
    await session.skip()
    service.failures.set('undo skip', conflict('item_leased'))
    await session.undo()
    expect(session.current).toMatchObject({ item: { id: '1' }, decision: 'skipped' })
    expect(session.getState().notice?.text).toBe('You cannot have this item again: It is item_leased.')
  })

  test.each([
    ['Done', 'completed', 'do not count'],
    ['a skip', 'skipped', 'is not skipped'],
  ] as const)(
    '%s that the service refused is not done: Undo takes the item again, and the draft stays',
    async (_, mark, said) => {
      const service = new Service(3)
      const session = openSession(service)
      await session.start('')
      session.enter('good', true)
      service.failures.set(mark, new StatusError({ method: 'POST', path: '/x' }, 500, { problems: [], text: '' }))
      await (mark === 'completed' ? session.done() : session.skip())
      await settle()
      expect(session.getState().notice?.text).toContain(said)
      expect(session.getState().entries[0]?.decision).toBe('left')
      await session.undo()
      expect(session.current).toMatchObject({ item: { id: '1' }, decision: undefined, lease: 'held' })
      expect(session.getState().notice?.text).toContain('It is not completed yet.')
      expect(drafts.has('1')).toBe(true)
      await (mark === 'completed' ? session.done() : session.skip())
      await settle()
      expect(service.log.filter((line) => line === `${mark} 1`)).toHaveLength(2)
      expect(session.getState().entries[0]?.decision).toBe(mark)
      expect(drafts.has('1')).toBe(false)
    },
  )

  test('a refused item that is not open any more is said to be not completed, and keeps its draft', async () => {
    const service = new Service(3)
    const session = openSession(service)
    await session.start('')
    session.enter('good', true)
    service.failures.set('completed', conflict('item_leased'))
    await session.done()
    await settle()
    service.failures.set('undo skip', conflict('item_leased'))
    await session.undo()
    expect(session.current).toMatchObject({ item: { id: '1' }, decision: 'left' })
    expect(session.getState().notice?.text).toBe('You cannot have this item again: It is item_leased.')
    service.failures.set('undo skip', conflict('item_leased'))
    await session.done()
    expect(session.getState().failure?.title).toBe('Not saved')
    expect(drafts.get('1')?.entered).toEqual({ good: true })
  })

  test('an item that the person completed elsewhere is not shown as skipped', async () => {
    const service = new Service(3)
    const session = openSession(service)
    await session.start('')
    service.failures.set('skipped', conflict('wrong_state'))
    await service.mark('1', 'completed')
    await session.skip()
    await settle()
    expect(session.getState().notice?.text).toContain('is not skipped')
    expect(session.getState().entries[0]).toMatchObject({ decision: 'completed', sent: { good: { id: 'old' } } })
  })

  test('a skip that did not arrive is not sent again after it was taken back', async () => {
    const service = new Service(3)
    const session = openSession(service)
    await session.start('')
    service.failures.set('skipped', offline())
    await session.skip()
    await settle()
    await session.undo()
    retry()
    await settle()
    expect(service.log.slice(2)).toEqual(['skipped 1', 'undo skip 1'])
    expect(session.current).toMatchObject({ item: { id: '1' }, decision: undefined })
    await session.skip()
    await settle()
    expect(service.log.at(-1)).toBe('skipped 1')
  })

  test('a completed item stays completed, and another answer corrects the first', async () => {
    const service = new Service(3)
    const session = openSession(service)
    await session.start('')
    session.enter('good', true)
    session.enter('note', 'fine')
    await session.done()
    await session.undo()
    expect(session.getState().notice?.text).toContain('stays completed')
    session.enter('good', false)
    session.enter('note', '')
    await session.done()
    expect(service.log.slice(3)).toEqual(['completed 1', 'save 1 id3=false', 'remove id2'])
    expect(session.current?.item.id).toBe('2')
  })

  test('a correction that is being typed when the completion arrives stays as a draft', async () => {
    const service = new Service(2)
    const session = openSession(service)
    await session.start('')
    session.enter('good', true)
    service.failures.set('completed', offline())
    await session.done()
    await settle()
    await session.undo()
    session.enter('good', false)
    retry()
    await settle()
    expect(service.items[0]?.annotation_state).toBe('completed')
    expect(drafts.get('1')?.entered).toEqual({ good: false })
    await session.done()
    await settle()
    expect(drafts.has('1')).toBe(false)
  })

  test('without a decision there is nothing to undo', async () => {
    const session = openSession(new Service(1))
    await session.start('')
    await session.undo()
    expect(session.getState().notice?.text).toBe('There is nothing to undo.')
  })
})

describe('moving between items', () => {
  test('goes back and forward over what was opened, and past the newest to another open item', async () => {
    const session = openSession(new Service(9))
    await session.start('')
    expect(findObstacle(session.getState(), 1)).toBeUndefined()
    await session.step(-1)
    expect(session.getState().notice?.text).toContain('first item')
    await session.step(1)
    await session.step(1)
    expect(session.current?.item.id).toBe('3')
    await session.step(1)
    expect(session.getState().notice?.text).toContain('Finish one of the 3')
    expect(findObstacle(session.getState(), 1)).toContain('Finish one of the 3')
    await session.step(-1)
    expect(session.current?.item.id).toBe('2')
    session.enter('good', true)
    await session.done()
    expect(session.current?.item.id).toBe('3')
  })

  test('an address names the item, also one that is completed', async () => {
    const service = new Service(3)
    const session = openSession(service)
    await session.start('2')
    expect(session.current?.item.id).toBe('2')
    const other = await openCompleted(service, '3')
    expect(other.current).toMatchObject({ decision: 'completed', entered: { good: true } })
  })

  test('a correction that was not saved is there again, and who goes on without saving it is told', async () => {
    const service = new Service(3)
    const before = await openCompleted(service, '1')
    before.enter('note', 'a long correction')
    const session = await openCompleted(service, '1')
    expect(session.current?.entered).toEqual({ good: true, note: 'a long correction' })
    expect(isUnsaved(session.fields, session.current ?? { entered: {}, sent: {} })).toBe(true)
    await session.step(1)
    await session.step(-1)
    await session.step(1)
    expect(session.getState().notice?.text).toContain('Your correction is not saved.')
    await session.step(-1)
    await session.done()
    await settle()
    expect(service.log).toContain('save 1 id1="a long correction"')
    expect(drafts.has('1')).toBe(false)
  })

  test('an item of the address that somebody else has is named, and the next one shows', async () => {
    const service = new Service(2)
    service.failures.set('lease', conflict('item_leased'))
    const session = openSession(service)
    await session.start('2')
    expect(session.getState().notice?.text).toContain('It is item_leased.')
    expect(session.current?.item.id).toBe('1')
  })
})

describe('a lease', () => {
  const minuteMs = 60_000
  test('is renewed while the person is active, and not when nobody is there', async () => {
    const service = new Service(1)
    const session = openSession(service)
    await session.start('')
    nowMs = 4 * minuteMs
    session.touch()
    await session.tick()
    expect(service.log).toEqual(['next'])
    nowMs = 6 * minuteMs
    await session.tick()
    expect(service.log).toEqual(['next', 'lease 1'])
    nowMs = 15 * minuteMs
    await session.tick()
    expect(session.current?.lease).toBe('held')
    nowMs = 16 * minuteMs
    await session.tick()
    expect(session.current?.lease).toBe('ended')
    session.touch()
    await settle()
    expect(session.current?.lease).toBe('held')
  })

  test('that ended and went to somebody else keeps what was typed, and stores nothing', async () => {
    const service = new Service(2)
    const session = openSession(service)
    await session.start('')
    session.enter('good', true)
    nowMs = 11 * minuteMs
    await session.tick()
    service.failures.set('lease 1', conflict('item_leased'))
    await session.done()
    expect(session.current).toMatchObject({ lease: 'taken', entered: { good: true } })
    expect(session.getState().failure?.error.message).toBe('It is item_leased.')
    expect(service.log.some((line) => line.startsWith('save'))).toBe(false)
    service.items[0] = toItem('1', { lease: { annotator: 'bob', expires_at: '2026-01-01T00:20:00Z' } })
    await session.leave()
    expect(session.current?.item.id).toBe('2')
    expect(drafts.get('1')?.entered).toEqual({ good: true })

    // Later it is free again.
    await session.step(-1)
    expect(session.current).toMatchObject({ item: { id: '1' }, decision: 'left' })
    await session.done()
    await settle()
    expect(service.log.slice(-3)).toEqual(['undo skip 1', 'save 1 id1=true', 'completed 1'])
    expect(session.getState().entries[0]).toMatchObject({ decision: 'completed' })
    expect(drafts.has('1')).toBe(false)
  })

  test('of another person who judged meanwhile: it is said, and the next item shows', async () => {
    const service = new Service(2)
    const session = openSession(service)
    await session.start('')
    session.enter('good', true)
    service.failures.set('completed', conflict('item_completed'))
    await session.done()
    expect(session.getState().notice?.text).toContain('do not count: It is item_completed.')
    expect(session.current?.item.id).toBe('2')
  })

  test('of the expected item that somebody else got first: another one is asked for', async () => {
    const service = new Service(3)
    const session = openSession(service)
    await session.start('')
    session.enter('good', true)
    service.failures.set('lease 2', conflict('item_leased'))
    await session.done()
    expect(service.log.slice(-2)).toEqual(['completed 1', 'next'])
  })
})

describe('when the page is left', () => {
  test('all items that are not decided are given back, with the one that is leased ahead', async () => {
    const service = new Service(30)
    const session = openSession(service)
    await session.start('')
    await session.step(1)
    session.enter('good', true)
    await settle()
    expect(service.log.slice(-1)).toEqual(['lease 3'])
    session.stop()
    expect(service.log.slice(-3)).toEqual(['release 1', 'release 2', 'release 3'])
    session.stop()
    await settle()
    expect(service.log.slice(-1)).toEqual(['release 3'])
  })

  test('an item whose lease is on its way is given back when it comes', async () => {
    const service = new Service(2)
    const session = openSession(service)
    const started = session.start('')
    session.stop()
    await started
    await settle()
    expect(service.log).toEqual(['next', 'release 1'])
    const other = openSession(service)
    const opened = other.start('2')
    other.stop()
    await opened
    await settle()
    expect(service.log.slice(2)).toEqual(['lease 2', 'release 2'])
  })

  test('decided items are kept, and a page that comes back leases its item again', async () => {
    const service = new Service(9)
    const session = openSession(service)
    await session.start('')
    session.enter('good', true)
    await session.done()
    await settle()
    session.leavePage()
    await settle()
    expect(service.log.filter((line) => line.startsWith('release'))).toEqual(['release 2'])
    expect(session.current).toMatchObject({ item: { id: '2' }, lease: 'ended' })
    session.touch()
    await settle()
    expect(session.current?.lease).toBe('held')
  })
})

describe('the item that is expected next', () => {
  const leased = (id: string, annotator: string) => toItem(id, { lease: { annotator, expires_at: '2026-01-01T00:10:00Z' } })
  test('is another one for each of those who review at once', () => {
    const items = [leased('1', 'ann'), leased('2', 'bob'), leased('3', 'cy'), toItem('4'), toItem('5'), toItem('6')]
    const pick = (annotator: string) => pickCandidate(items, { annotator, seenIds: new Set() })?.id
    expect(['ann', 'bob', 'cy', 'dee'].map(pick)).toEqual(['4', '5', '6', '6'])
  })

  test('is none that the person judged or has seen', () => {
    const judged = toItem('1', { reviews: [{ annotator: 'ann', state: 'completed', updated_at: '2026-01-01T00:00:00Z' }] })
    expect(pickCandidate([judged, toItem('2'), toItem('3')], { annotator: 'ann', seenIds: new Set(['2']) })?.id).toBe('3')
    expect(pickCandidate([judged], { annotator: 'ann', seenIds: new Set() })).toBeUndefined()
  })
})

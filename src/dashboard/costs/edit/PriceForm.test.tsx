// @vitest-environment happy-dom
import { afterEach, expect, test, vi } from 'vitest'
import { click, fill, findButton, render, stubService, waitFor } from '../../../testing/render'
import { emptyDraft, type PriceDraft } from './price-form'
import { PriceForm } from './PriceForm'
import type { WrittenPrice } from './use-record-price'

afterEach(() => {
  document.body.innerHTML = ''
  vi.unstubAllGlobals()
})

type Routes = Parameters<typeof stubService>[0]
const firstRecord = {
  id: 'first',
  llm_id: 'house-model',
  provider_id: 'default',
  prompt_token_cost: 0.000002,
  completion_token_cost: 0.000008,
  prompt_token_cost_unit: 'USD',
  completion_token_cost_unit: 'USD',
  effective_date: '2026-01-01T00:00:00Z',
}
const otherRecord = { ...firstRecord, id: 'other' }
const created = () => Response.json({ ids: [['own', 'house-model']] })

async function renderForm(
  draft: Partial<PriceDraft> = {},
  routes: Routes = {},
  onChange: (next: PriceDraft) => void = () => undefined,
) {
  const requests = stubService({ '/cost/query': () => Response.json({ results: [] }), '/cost/create': created, ...routes })
  const written: WrittenPrice[] = []
  const { host } = await render(
    <PriceForm
      defaultValues={{ ...emptyDraft, model: 'house-model', ...draft }}
      corrected={undefined}
      models={[]}
      onChange={onChange}
      onDiscard={() => undefined}
      onWritten={(price) => written.push(price)}
    />,
  )
  await waitFor(() => expect(requests).toHaveLength(1))
  const field = (name: string) => host.querySelector<HTMLInputElement>(`#price-${name}`)!
  return {
    host,
    written,
    prompt: field('prompt_token_cost'),
    completion: field('completion_token_cost'),
    sent: () => requests.filter(({ path }) => path === '/cost/create').map(({ body }) => body['costs']),
    send: (name = 'Record the price') => click(findButton(host, name)),
  }
}

test('a price is recorded as it was typed, per token', async () => {
  const { prompt, completion, send, sent, written } = await renderForm()
  await fill(prompt, '0.1')
  await fill(completion, '2.50')
  await send()
  await waitFor(() => expect(written).toMatchObject([{ id: 'own', model: 'house-model', meanwhile: [] }]))
  expect(sent()).toMatchObject([{ 'house-model': { prompt_token_cost: 1e-7, completion_token_cost: 0.0000025 } }])
})

test('the first price of a model says that it is for the earlier calls too, before it is recorded and after', async () => {
  const draft = { prompt_token_cost: '2', completion_token_cost: '8', start: 'other', startText: '2099-05-01' } as const
  const { host, send, written } = await renderForm(draft)
  const text = 'also for earlier calls that have no older price'
  await waitFor(() => expect(host.textContent).toContain(`From another day or time, ${text}`))
  await send()
  await waitFor(() => expect(written).toMatchObject([{ earlier: text }]))
})

test('where the model has a price, earlier calls keep it', async () => {
  const record = { ...firstRecord, effective_date: '1970-01-01T00:00:00Z' }
  const { host } = await renderForm({}, { '/cost/query': () => Response.json({ results: [record] }) })
  await waitFor(() => expect(host.textContent).toContain('From now on, earlier calls keep their price'))
})

test.each([
  ['-1', 'A price is 0 or more.'],
  ['NaN', 'This is not a number.'],
  ['Infinity', 'This is not a number.'],
  ['2,50', 'Write the number without separators'],
  ['0.12345678901234567', 'This has more digits than can be kept: at most 15.'],
  ['', 'A price is needed. Write 0 where it is free.'],
])('the price %j is refused with the reason, and nothing is sent', async (text, reason) => {
  const { host, prompt, completion, send, sent } = await renderForm({ completion_token_cost: '10' })
  await fill(prompt, text)
  await send()
  await waitFor(() => expect(host.querySelector('[role=alert]')?.textContent).toContain(`Prompt: ${reason}`))
  expect(document.activeElement).toBe(host.querySelector('[role=alert]'))
  expect([prompt.value, prompt.getAttribute('aria-invalid'), completion.value]).toEqual([text, 'true', '10'])
  expect(sent()).toEqual([])
})

test('what was typed stays after a failed request, and a problem of the server is shown at its field', async () => {
  const replies = [
    () => Response.json({ detail: 'The disk is full.' }, { status: 503 }),
    () => {
      const loc = ['body', 'costs', 'house-model', 'prompt_token_cost']
      return Response.json({ detail: [{ loc, msg: 'Too large.', type: 'less_than' }] }, { status: 422 })
    },
    created,
  ]
  const { host, prompt, completion, send, sent, written } = await renderForm({}, { '/cost/create': () => replies.shift()!() })
  await fill(prompt, '2.50')
  await fill(completion, '10')
  await send()
  await waitFor(() => expect(host.textContent).toContain('The disk is full.'))
  await send()
  await waitFor(() => expect(host.querySelector('#price-prompt_token_cost-note')?.textContent).toBe('Too large.'))
  expect([prompt.value, completion.value]).toEqual(['2.50', '10'])
  await fill(prompt, '2.4')
  await send()
  await waitFor(() => expect(written).toHaveLength(1))
  expect(sent()).toHaveLength(3)
})

test('a draft whose reply was lost says so after a reload, until it is found or sent again', async () => {
  const kept: PriceDraft[] = []
  const draft = { prompt_token_cost: '2', completion_token_cost: '8' }
  const full = () => Response.json({ detail: 'The disk is full.' }, { status: 503 })
  const first = await renderForm(draft, { '/cost/create': full }, (next) => kept.push(next))
  await first.send()
  await waitFor(() => expect(first.host.textContent).toContain('the price may or may not be recorded'))

  document.body.innerHTML = ''
  const own = { ...firstRecord, id: 'own' }
  const { host, written } = await renderForm(kept.at(-1), { '/cost/query': () => Response.json({ results: [own] }) })
  expect(host.textContent).toContain('the price may or may not be recorded')
  expect(host.textContent).toContain('The disk is full.')
  await click(findButton(host, 'Look whether it is there'))
  await waitFor(() => expect(written).toMatchObject([{ id: 'own' }]))
})

test('another unit keeps the prices: their texts are converted, every digit exact', async () => {
  const { host, prompt, completion } = await renderForm({ prompt_token_cost: '2.5', completion_token_cost: '2,5' })
  const choose = (unit: string) => click(host.querySelector(`input[value="${unit}"]`))
  await choose('1K')
  expect([prompt.value, completion.value]).toEqual(['0.0025', '2,5'])
  await choose('token')
  expect(prompt.value).toBe('0.0000025')
  await choose('1M')
  expect(prompt.value).toBe('2.5')
})

test('who recorded the same model meanwhile is named before sending, and a second press records both', async () => {
  const records = [firstRecord]
  const draft = { prompt_token_cost: '2.5', completion_token_cost: '10' }
  const { host, prompt, send, sent, written } = await renderForm(draft, {
    '/cost/query': () => Response.json({ results: records }),
  })
  await waitFor(() => expect(host.textContent).toContain('was 2 · +25.0 %'))
  records.push(otherRecord)
  await send()
  await waitFor(() => expect(host.textContent).toContain('Somebody else was here'))
  expect(host.textContent).toContain('another price of house-model was recorded: 2 prompt, 8 completion (USD per 1M) at default.')
  expect([sent(), prompt.value]).toEqual([[], '2.5'])
  await send('Record it anyway')
  await waitFor(() => expect(written).toHaveLength(1))
})

test('who sent at the same moment is named afterwards', async () => {
  const records = [firstRecord]
  const draft = { prompt_token_cost: '2.5', completion_token_cost: '10' }
  const { host, send, written } = await renderForm(draft, {
    '/cost/query': () => Response.json({ results: records }),
    '/cost/create': () => {
      records.push(otherRecord, { ...otherRecord, id: 'own' })
      return created()
    },
  })
  await waitFor(() => expect(host.textContent).toContain('was 2 · +25.0 %'))
  await send()
  await waitFor(() => expect(written).toMatchObject([{ id: 'own', meanwhile: [{ id: 'other' }] }]))
})

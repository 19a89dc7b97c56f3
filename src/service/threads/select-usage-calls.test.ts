import { expect, test } from 'vitest'
import { selectUsageSpans, selectUsageTurns, type TracedCall } from './select-usage-calls'

const used = new Map([['m', { requests: 1, prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 } as never]]) // only its tokens count
const call = (id: string, parentId: string | null, changes: Partial<TracedCall> = {}): TracedCall => ({
  id,
  parent_id: parentId,
  thread_id: null,
  is_span: true,
  usage: used,
  ...changes,
})

test('of spans above each other the lowest counts, for the thread of the nearest span that has one', async () => {
  const trace = [call('root', null, { thread_id: 't' }), call('agent', 'root'), call('model', 'agent')]
  expect(await selectUsageSpans(trace)).toEqual([{ call: trace[2], threadId: 't' }])
})

/** How often others were served while the work was done. */
async function countTurns(work: Promise<unknown>): Promise<number> {
  let turns = 0
  let isDone = false
  const count = () => {
    turns += 1
    if (!isDone) setImmediate(count)
  }
  setImmediate(count)
  await work
  isDone = true
  return turns
}

const chain = Array.from({ length: 50_000 }, (_, index) =>
  call(`c${index}`, index === 0 ? null : `c${index - 1}`, { thread_id: `t${index % 2}`, is_span: false }),
)

test('a trace of fifty thousand calls does not keep others waiting', async () => {
  const orphans = chain.map((each) => ({ ...each, parent_id: 'unknown', is_span: true }))
  expect(await countTurns(selectUsageSpans(orphans))).toBeGreaterThan(2)
  expect(await countTurns(selectUsageTurns(chain, []))).toBeGreaterThan(2)
  expect(await selectUsageTurns(chain, [])).toEqual(chain.slice(0, 2))
})

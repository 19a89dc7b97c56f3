import { setImmediate as nextTurn } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTemporaryStore } from '../store/testing/temporary-store'
import type { Batch } from './batch'
import { ProjectQueue } from './project-queue'
import { addWaiter, type ProjectWork } from './project-work'
import { Quarantine } from './quarantine'
import { defaultRetryTimes } from './retry-times'

let place: Awaited<ReturnType<typeof openTemporaryStore>>

beforeAll(async () => {
  place = await openTemporaryStore()
})
afterAll(() => place.remove())

/** Five projects with calls for several steps each. A step ends when the test says so. */
async function startSteps() {
  const started: Batch[] = []
  const endByBatch = new Map<Batch, () => void>()
  const queue = new ProjectQueue({
    quarantine: new Quarantine(place.store),
    retryTimes: defaultRetryTimes,
    runStep: (batch) => {
      started.push(batch)
      return new Promise((resolve) => endByBatch.set(batch, resolve))
    },
  })
  // So many calls are derived at once, without a delay.
  const callIds = Array.from({ length: 5001 }, (_, index) => String(index))
  for (const projectId of ['a', 'b', 'c', 'd', 'e']) queue.addCalls(projectId, callIds, 1)
  await nextTurn()
  const end = async (projectId: string) => {
    const batch = started.find(({ projects }) => projects.has(projectId))
    if (batch) endByBatch.get(batch)?.()
    await nextTurn()
    await nextTurn()
    return batch
  }
  const startedProjects = () => started.map(({ projects }) => [...projects.keys()].join())
  return { queue, end, startedProjects }
}

const addEndlessWaiter = (project: ProjectWork) =>
  addWaiter(project, { upTo: Infinity, resolve: () => undefined, reject: () => undefined })

test('a step in the background goes on before others as soon as somebody waits for its project', async () => {
  const { queue, end, startedProjects } = await startSteps()
  const batch = await end('a')
  const project = queue.projects.get('a')
  if (!batch || !project) throw new Error('The project a comes first.')
  queue.addBatch(batch, 'background')
  addEndlessWaiter(project)
  queue.hurry(project)
  await end('b')
  expect(startedProjects()).toEqual(['a', 'b', 'c', 'a'])
})

test('a step in the background for whose project somebody waits already goes on before others', async () => {
  const { queue, end, startedProjects } = await startSteps()
  const project = queue.projects.get('a')
  if (!project) throw new Error('The project a comes first.')
  addEndlessWaiter(project)
  const batch = await end('a')
  if (!batch) throw new Error('The project a comes first.')
  queue.addBatch(batch, 'background')
  await end('b')
  expect(startedProjects()).toEqual(['a', 'b', 'c', 'a'])
})

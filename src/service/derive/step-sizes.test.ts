import { expect, test } from 'vitest'
import { toBatch } from './batch'
import { createProjectWork, maxStepCalls } from './project-work'
import { StepSizes } from './step-sizes'

function createBatch(...projectIds: string[]) {
  const items = projectIds.map((projectId) => ({ project: createProjectWork(projectId), id: '1', turnIds: new Set<string>() }))
  return { batch: toBatch('call', items), projects: items.map(({ project }) => project) }
}

test('a step is slow beside the usual one, so on a busy machine a longer one is not', () => {
  const sizes = new StepSizes()
  expect(sizes.note(createBatch('a').batch, 600)).toBe(true)
  for (let count = 0; count < 60; count += 1) sizes.note(createBatch('a').batch, 200)
  expect(sizes.note(createBatch('a').batch, 600)).toBe(false)
  expect(sizes.note(createBatch('a').batch, 6000)).toBe(true)
})

test('slow steps get smaller, and fast ones larger again', () => {
  const sizes = new StepSizes()
  const { batch, projects } = createBatch('a', 'b')
  sizes.note(batch, 600)
  expect(projects.map(({ maxStepProjects }) => maxStepProjects)).toEqual([maxStepCalls / 2, maxStepCalls / 2])
  const alone = createBatch('a')
  sizes.note(alone.batch, 600)
  expect(alone.projects).toMatchObject([{ isSlow: true, maxStepItems: maxStepCalls / 2 }])
  sizes.note(alone.batch, 20)
  expect(alone.projects).toMatchObject([{ isSlow: false, maxStepItems: maxStepCalls }])
})

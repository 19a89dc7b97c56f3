import { expect, test } from 'vitest'
import { createInPlacePreparer } from '../../http/prepare/in-place-preparer'
import type { Preparer } from '../../http/prepare/preparation'
import { openTestApp } from '../../testing/test-app'
import { resolveRefs } from './resolve-refs'

test('a value is prepared once for all paths into it, and not at all for itself', async () => {
  const service = await openTestApp()
  try {
    const val = { rows: ['first', { text: 'second' }], at: 'weave:///acme/support/object/data:latest/attr/rows' }
    await service.post('/obj/create', { obj: { project_id: 'acme/support', object_id: 'data', val } })
    const inPlace = createInPlacePreparer({ newId: () => '' })
    const prepared: string[] = []
    const preparer: Preparer = {
      prepare: (preparation, ...more) => {
        prepared.push(preparation.name)
        return inPlace.prepare(preparation, ...more)
      },
    }
    const read = async (...paths: string[]) => {
      prepared.length = 0
      const refs = paths.map((path) => `weave:///acme/support/object/data:latest${path}`)
      return (await resolveRefs({ store: service.store, preparer }, refs, () => true, {})).map((value) => value?.parse() ?? null)
    }
    expect(await read('/attr/rows/index/0', '/attr/rows/index/1/attr/text', '/attr/nothing', '')).toEqual([
      'first',
      'second',
      null,
      val,
    ])
    expect(prepared).toEqual(['paths'])
    expect(await read('/attr/at/index/0', '/attr/rows')).toEqual(['first', val.rows])
    // Once more for the value that the first leads to, which is the same.
    expect(prepared).toEqual(['paths', 'paths'])
    expect(await read('')).toEqual([val])
    expect(prepared).toEqual([])
  } finally {
    await service.close()
  }
})

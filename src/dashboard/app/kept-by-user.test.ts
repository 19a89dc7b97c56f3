// @vitest-environment happy-dom
import * as fc from 'fast-check'
import { beforeEach, expect, test } from 'vitest'
import { type Owner, ownerKey } from '../client/owner-key'
import { priceDraft } from '../costs/edit/price-draft'
import { emptyDraft } from '../costs/edit/price-form'
import { createdQueues } from '../queues/created-queues'
import { deletedQueues } from '../queues/detail/deleted-queues'
import { newFillJob, storedFillJob } from '../table/add-to-queue/fill-job'

beforeEach(() => sessionStorage.clear())

const anyText = fc.string({ unit: fc.constantFrom('a', ' ', '"', ',', '\\', '[', ']') })
const anyOwner: fc.Arbitrary<Owner> = fc.record({ id: anyText, projectId: anyText, username: anyText })

test('the key of an owner begins with the key of no other', () => {
  fc.assert(
    fc.property(anyOwner, anyOwner, (one, other) => {
      const isSame = JSON.stringify(one) === JSON.stringify(other)
      expect(ownerKey(one).startsWith(ownerKey(other))).toBe(isSame)
    }),
  )
})

test('what a tab keeps for a user is not shown to the next one', () => {
  const ann: Owner = { id: 'own', projectId: 'acme/support', username: 'ann' }
  const ben: Owner = { ...ann, username: 'ben' }
  const queue = { id: 'q1', name: 'Refunds' }
  const target = { queueName: 'Refunds', queueId: 'q1', draft: null, displayFields: [] }
  priceDraft(ann, '').write({ ...emptyDraft, model: 'gpt-4o' })
  storedFillJob(ann).write(newFillJob(target, ['c1']))
  createdQueues(ann).add(queue)
  deletedQueues(ann).add(queue)
  const kept = (owner: Owner) => [
    priceDraft(owner, '').read()?.model,
    storedFillJob(owner).read()?.callIds,
    createdQueues(owner).list(),
    deletedQueues(owner).list(),
  ]
  expect(kept(ann)).toEqual(['gpt-4o', ['c1'], [queue], [queue]])
  expect(kept(ben)).toEqual([undefined, undefined, [], []])
})

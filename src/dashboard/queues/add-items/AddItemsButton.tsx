import { Suspense, useState } from 'react'
import { lazyPart } from '../../client/lazy-part'
import { useCanAddToQueue } from '../../table/add-to-queue/use-can-add-to-queue'
import { Button } from '../../ui/Button'

const AddItemsDialog = lazyPart(async () => (await import('./AddItemsDialog')).AddItemsDialog)

/** Adds calls to a queue by their ids. Nothing where the service takes no calls into queues. */
export function AddItemsButton({ queue }: { queue: { id: string; name: string } }) {
  const [isOpen, setIsOpen] = useState(false)
  const canAdd = useCanAddToQueue()
  if (!canAdd) return null
  return (
    <>
      <Button icon="plus" onClick={() => setIsOpen(true)}>
        Add items
      </Button>
      <Suspense>{isOpen && <AddItemsDialog queue={queue} onClose={() => setIsOpen(false)} />}</Suspense>
    </>
  )
}

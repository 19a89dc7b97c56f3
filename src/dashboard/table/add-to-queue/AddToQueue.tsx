import { useState } from 'react'
import { Button } from '../../ui/Button'
import type { ButtonVariant } from '../../ui/button-class'
import { AddToQueueDialog } from './AddToQueueDialog'
import type { Evidence } from './evidence'
import { useCanAddToQueue } from './use-can-add-to-queue'
import { useQueueFill } from './use-queue-fill'

type Props = { evidence: Evidence; variant?: ButtonVariant }

/** A button that opens the dialog, where the service takes calls into queues. It says so while a job is not finished. */
export function AddToQueue({ evidence, variant = 'plain' }: Props) {
  const [isOpen, setIsOpen] = useState(false)
  const { state } = useQueueFill()
  const canAdd = useCanAddToQueue()
  const isStuck = state?.status === 'stopped' || state?.status === 'failed'
  const isBusy = state?.status === 'running' || state?.status === 'waiting'
  if (!canAdd) return null
  return (
    <>
      <Button variant={variant} icon={isStuck ? 'warning' : 'queues'} onClick={() => setIsOpen(true)}>
        {isStuck ? 'Adding is not finished' : isBusy ? 'Adding to a queue…' : 'Add to queue'}
      </Button>
      {isOpen && <AddToQueueDialog evidence={evidence} onClose={() => setIsOpen(false)} />}
    </>
  )
}

import { Suspense } from 'react'
import { AddToQueue } from '../../table/add-to-queue/lazy-add-to-queue'
import { formatCount } from '../../format/count'
import { Button } from '../../ui/Button'
import { usePickedCalls } from './use-picked-calls'

type Props = {
  /** The turns of the thread, in their order. */
  turns: readonly { id: string }[]
  onCompare: (left: string, right: string) => void
}

/** How many turns and calls are picked, in this thread and others, and what can be done with them. */
export function PickedCallsBar({ turns, onCompare }: Props) {
  const { ids, canPick, clear } = usePickedCalls()
  if (ids.size === 0 || !canPick) return null
  // Two calls, or turns of two threads, cannot be compared.
  const [first, second] = ids.size === 2 ? turns.filter(({ id }) => ids.has(id)) : []
  return (
    <section aria-label="Selected turns and calls" className="flex flex-wrap items-center gap-1 border-t border-line px-4 py-1.5">
      <span className="mr-2 tabular-nums">{formatCount(String(ids.size))} selected</span>
      <Suspense>
        <AddToQueue evidence={{ kind: 'calls', ids: [...ids] }} />
      </Suspense>
      {first && second && <Button onClick={() => onCompare(second.id, first.id)}>Compare</Button>}
      <Button variant="quiet" icon="x" onClick={clear}>
        Clear
      </Button>
    </section>
  )
}

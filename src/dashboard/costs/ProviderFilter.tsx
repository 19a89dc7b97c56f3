import { lazy, Suspense } from 'react'
import { Button } from '../ui/Button'
import { Popover } from '../ui/Popover'

const ProviderChoice = lazy(() => import('./ProviderChoice').then((module) => ({ default: module.ProviderChoice })))

export type ProviderCount = { provider: string; count: number }

type Props = {
  chosen: readonly string[]
  /** Undefined while they are being counted. */
  counts: readonly ProviderCount[] | undefined
  onOpen: () => void
  onChange: (chosen: readonly string[]) => void
}

export function ProviderFilter({ chosen, counts, onOpen, onChange }: Props) {
  const words = chosen.length === 0 ? 'Any provider' : chosen.length === 1 ? chosen[0] : `${chosen.length} providers`
  return (
    <Popover
      label="Providers"
      onOpen={onOpen}
      renderTrigger={(trigger) => (
        <Button
          {...trigger}
          aria-haspopup="dialog"
          className={`font-normal! ${chosen.length > 0 ? 'border-accent! text-accent' : ''}`}
          icon="filter"
        >
          <span className="max-w-32 truncate">{words}</span>
        </Button>
      )}
    >
      {() => (
        <Suspense fallback={<p className="p-3 text-quiet">Loading…</p>}>
          <ProviderChoice chosen={chosen} counts={counts} onChange={onChange} />
        </Suspense>
      )}
    </Popover>
  )
}

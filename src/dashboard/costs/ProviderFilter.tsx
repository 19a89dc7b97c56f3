import { Suspense } from 'react'
import { lazyPart } from '../client/lazy-part'
import { Button } from '../ui/Button'
import { Popover } from '../ui/Popover'
import type { ProviderCount } from './in-force-rows'

const ProviderList = lazyPart(async () => (await import('./ProviderList')).ProviderList)

type Props = {
  chosen: readonly string[]
  /** Undefined while they are being counted. */
  counts: readonly ProviderCount[] | undefined
  onOpen?: (() => void) | undefined
  onChange: (chosen: readonly string[]) => void
}

export function ProviderFilter({ chosen, counts, onOpen, onChange }: Props) {
  const label = chosen.length === 0 ? 'Any provider' : chosen.length === 1 ? chosen[0] : `${chosen.length} providers`
  return (
    <Popover
      label="Providers"
      {...(onOpen && { onOpen })}
      renderTrigger={(trigger) => (
        <Button
          {...trigger}
          aria-haspopup="dialog"
          className={`font-normal! ${chosen.length > 0 ? 'border-accent! text-accent' : ''}`}
          icon="filter"
        >
          <span className="max-w-32 truncate">{label}</span>
        </Button>
      )}
    >
      {() => (
        <Suspense fallback={<p className="p-3 text-quiet">Loading…</p>}>
          <ProviderList chosen={chosen} counts={counts} onChange={onChange} />
        </Suspense>
      )}
    </Popover>
  )
}

import { Button } from '../ui/Button'
import { maxCompared } from './cost-view'

/** Puts the selected prices side by side. */
export function CompareButton({ ids, onCompare }: { ids: readonly string[]; onCompare: () => void }) {
  const canCompare = ids.length > 1 && ids.length <= maxCompared
  return (
    <Button
      aria-disabled={!canCompare}
      title={canCompare ? undefined : `Select 2 to ${maxCompared} prices.`}
      onClick={() => {
        if (canCompare) onCompare()
      }}
    >
      Compare
    </Button>
  )
}

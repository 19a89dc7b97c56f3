import { Button } from '../../ui/Button'

export function ImportPrices({ onClose }: { onClose: () => void }) {
  return <Button onClick={onClose}>Close</Button>
}

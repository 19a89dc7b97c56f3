import { Button } from '../ui/Button'
import { Dialog } from '../ui/Dialog'
import { moreIcons } from '../ui/more-icons'

type Props = { name: string; onRemove: () => void; onClose: () => void }

export function RemoveConnection({ name, onRemove, onClose }: Props) {
  return (
    <Dialog
      title={`Remove ${name}?`}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>Keep it</Button>
          <Button variant="danger" icon={moreIcons.trash} onClick={onRemove}>
            Remove
          </Button>
        </>
      }
    >
      This device forgets its address, username and password. Nothing changes on the server.
    </Dialog>
  )
}

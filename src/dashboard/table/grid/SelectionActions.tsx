import { announce } from '../../ui/announce'
import { Button } from '../../ui/Button'
import { copyText } from '../../ui/copy-text'
import { moreIcons } from '../../ui/more-icons'

/** What can be done with the selected rows, beside exporting them. */
export function SelectionActions({ ids, onClear }: { ids: readonly string[]; onClear: () => void }) {
  return (
    <span className="flex items-center gap-1 border-l border-line pl-4">
      <span className="tabular-nums">{ids.length} selected</span>
      <Button
        variant="quiet"
        icon={moreIcons.copy}
        onClick={() => {
          void copyText(ids.join('\n')).then((isCopied) => announce(isCopied ? 'Ids copied' : 'Copying failed'))
        }}
      >
        Copy ids
      </Button>
      <Button variant="quiet" icon={moreIcons.x} onClick={onClear}>
        Clear
      </Button>
    </span>
  )
}

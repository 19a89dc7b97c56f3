import type { ReactNode } from 'react'
import { announce } from '../../ui/announce'
import { Button } from '../../ui/Button'
import { copyText } from '../../ui/copy-text'

type Props = { ids: readonly string[]; onClear: () => void; children: ReactNode }

/** How many rows are selected, and what can be done with them. */
export function SelectionActions({ ids, onClear, children }: Props) {
  return (
    <span className="flex flex-wrap items-center gap-1 border-l border-line pl-4">
      <span className="tabular-nums">{ids.length} selected</span>
      {children}
      <Button
        variant="quiet"
        icon="copy"
        onClick={() => {
          void copyText(ids.join('\n')).then((isCopied) => announce(isCopied ? 'Ids copied' : 'Copying failed'))
        }}
      >
        Copy ids
      </Button>
      <Button variant="quiet" icon="x" onClick={onClear}>
        Clear
      </Button>
    </span>
  )
}

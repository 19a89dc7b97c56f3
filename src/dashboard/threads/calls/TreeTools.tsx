import { useState } from 'react'
import { formatCount } from '../../format/count'
import { announce } from '../../ui/announce'
import { Button } from '../../ui/Button'
import { IconButton } from '../../ui/IconButton'
import { moreIcons } from '../../ui/more-icons'
import { SearchInput } from '../../ui/SearchInput'
import type { CallNode, CallTree } from './call-tree'
import { findByName, findFailed, findNext, findSlowest } from './find-calls'
import type { TreeView } from './use-tree-view'

type Props = { tree: CallTree; view: TreeView }

/** What leads to a call in the tree: its name, the next failure, the most self time. */
export function TreeTools({ tree, view }: Props) {
  const [text, setText] = useState('')
  const found = findByName(tree.nodes, text)
  const active = view.visible[view.activeRow]
  const goTo = (node: CallNode | undefined, missing: string) => {
    if (node) view.reveal(node)
    announce(node ? node.call.name : missing)
  }
  const position = active ? found.indexOf(active) : -1
  const step = (by: 1 | -1) => goTo(findNext(found, active?.index ?? 0, by), 'No call has this name')
  return (
    <div className="flex flex-wrap items-center gap-2 px-4 py-2">
      <form
        className="flex min-w-0 items-center gap-1"
        onSubmit={(event) => {
          event.preventDefault()
          step(1)
        }}
      >
        <SearchInput
          label="Find a call by name"
          className="w-48"
          value={text}
          onChange={(next) => {
            setText(next)
            // The active call stays where it fits what was typed.
            const node = findNext(findByName(tree.nodes, next), (active?.index ?? 0) - 1, 1)
            if (node) view.reveal(node)
          }}
        />
        {text.trim() !== '' && (
          <>
            <output className="text-xs whitespace-nowrap text-quiet tabular-nums">
              {found.length === 0 ? 'none' : `${position < 0 ? '–' : position + 1} of ${formatCount(String(found.length))}`}
            </output>
            <IconButton icon={moreIcons.chevronUp} label="Previous match" onClick={() => step(-1)} />
            <IconButton icon="chevron-down" label="Next match (Enter)" onClick={() => step(1)} />
          </>
        )}
      </form>
      <Button
        variant="quiet"
        icon="error"
        onClick={() => goTo(findNext(findFailed(tree.nodes), active?.index ?? 0, 1), 'No call failed')}
      >
        Next error
      </Button>
      <Button variant="quiet" icon="clock" onClick={() => goTo(findSlowest(tree.nodes), 'No call has ended')}>
        Slowest self time
      </Button>
      {tree.size > 2 && (
        <Button variant="quiet" onClick={view.collapsedIds.size > 0 ? view.expandAll : view.collapseAll}>
          {view.collapsedIds.size > 0 ? 'Expand all' : 'Collapse all'}
        </Button>
      )}
    </div>
  )
}

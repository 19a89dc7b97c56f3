import type { ReactNode } from 'react'
import { useRouter } from 'wouter'
import { useSearch } from 'wouter/use-browser-location'
import { useUrlState } from '../../table/view/use-url-state'
import { buttonClass } from '../../ui/button-class'
import { Icon } from '../../ui/Icon'
import { moreIcons } from '../../ui/more-icons'
import { Segmented } from '../../ui/Segmented'
import { useWidth } from '../calls/use-width'
import { toThreadHref } from '../../format/thread-href'
import type { ThreadTurn } from './thread-turn'
import { ThreadTurns } from './ThreadTurns'
import type { TurnMatches, TurnWindow } from './turn-marks'
import { turnParams } from './turn-params'

type Props = {
  threadId: string
  /** The figures cover only turns that started in here. */
  window?: TurnWindow | undefined
  /** The turns with what the filter of the list looks for. */
  matches?: TurnMatches | undefined
  /** The figures of the thread and what else is known of it. */
  figures: ReactNode
  /** What can be done with all turns. `isComplete` is false while more may follow. */
  renderTools: (turns: readonly ThreadTurn[], isComplete: boolean) => ReactNode
  /** The turns are read again when the thread changes. */
  isLive: boolean
  isPage?: boolean
}

const minWideWidth = 1000
/** From here on the figures of a turn stand in one line: its status, start, model, tokens and cost. */
const minOneLineWidth = 480

/** A thread, in the panel and on its page: its turns, and its figures beside them or, where that is too narrow, in their place. */
export function ThreadView({ threadId, window, matches, figures, renderTools, isLive, isPage = false }: Props) {
  const [host, width] = useWidth<HTMLDivElement>()
  const isWide = width >= minWideWidth
  const [{ tab }, setView] = useUrlState(turnParams)
  return (
    <div ref={host} className="flex min-h-0 flex-1 flex-col">
      {!isWide && (
        <div className="flex items-center justify-between gap-2 border-b border-line px-4 py-2">
          <Segmented
            label="Show"
            value={tab}
            options={[
              { value: 'turns', label: 'Turns' },
              { value: 'figures', label: 'Figures' },
            ]}
            onChange={(value) => setView({ tab: value }, { replace: true })}
          />
          {!isPage && <PageLink threadId={threadId} />}
        </div>
      )}
      {isWide || tab === 'turns' ? (
        <ThreadTurns
          threadId={threadId}
          window={window}
          matches={matches}
          isWide={isWide}
          isNarrow={width < minOneLineWidth}
          isLive={isLive}
          figures={figures}
          renderTools={renderTools}
        />
      ) : (
        <div className="min-h-0 flex-1 overflow-y-auto">{figures}</div>
      )}
    </div>
  )
}

/** To the page of the thread, with the same turn and call open. */
function PageLink({ threadId }: { threadId: string }) {
  const router = useRouter()
  const open = new URLSearchParams(useSearch())
  const kept = new URLSearchParams(
    Object.keys(turnParams).flatMap((name) => {
      const value = open.get(name)
      return value === null ? [] : [[name, value]]
    }),
  )
  const href = toThreadHref(threadId, kept.toString())
  if (href === undefined) return null
  return (
    // The router's own link would open it in this tab.
    <a href={router.hrefs(href, router)} target="_blank" rel="noopener" className={buttonClass('quiet')}>
      <Icon name={moreIcons.link} />
      Open in new tab
    </a>
  )
}

import { useQueryClient } from '@tanstack/react-query'
import { useState, useSyncExternalStore } from 'react'
import { Link } from 'wouter'
import { useConnection } from '../client/connection-context'
import { retryNow } from '../client/retry-schedule'
import { formatTime, type TimeZone } from '../format/instant'
import { usePreferences } from '../format/preferences'
import { Button } from '../ui/Button'
import { Icon } from '../ui/Icon'
import { moreIcons } from '../ui/more-icons'
import { toneIcons, toneText } from '../ui/tone'
import { type ServerCondition, serverCondition } from './server-condition'

const labels: Record<ServerCondition, { tone: 'neutral' | 'good' | 'warn' | 'bad'; words: string }> = {
  unknown: { tone: 'neutral', words: 'no request yet' },
  responding: { tone: 'good', words: 'responding' },
  busy: { tone: 'warn', words: 'busy' },
  failing: { tone: 'warn', words: 'responding with errors' },
  unreachable: { tone: 'bad', words: 'no response' },
}

/** The server and the result of its last response. It reads the requests of the pages and sends none of its own. */
export function ServerState() {
  const { baseUrl } = useConnection()
  const cache = useQueryClient().getQueryCache()
  const latest = useSyncExternalStore(
    (listener) => cache.subscribe(listener),
    () => serverCondition(cache.getAll().map(({ state }) => state)),
  )
  // While a failed request is sent again, what is known stays on screen.
  const [condition, setCondition] = useState<ServerCondition>('unknown')
  if (latest && latest !== condition) setCondition(latest)
  const { zone } = usePreferences()
  const { tone } = labels[condition]
  const isAway = condition === 'unreachable' || condition === 'busy'
  const respondedAt = Math.max(0, ...cache.getAll().map(({ state }) => state.dataUpdatedAt))
  const words = `${labels[condition].words}${isAway && respondedAt > 0 ? ` since ${formatClock(respondedAt, zone)}` : ''}`
  const host = URL.parse(baseUrl === '' ? location.href : baseUrl)?.host ?? baseUrl
  const link = (
    <Link
      href="/connection"
      aria-label={`Server ${host}: ${words}`}
      title={`${host}: ${words}`}
      className="flex min-w-0 items-center gap-1.5 rounded-md px-2 py-1 text-quiet hover:bg-hover hover:text-text"
    >
      {tone === 'neutral' ? (
        <Icon name={moreIcons.server} />
      ) : tone === 'good' ? (
        <span className="mx-1 size-2 shrink-0 rounded-full bg-good forced-colors:bg-[CanvasText]" />
      ) : (
        <Icon name={toneIcons[tone]} className={toneText[tone]} />
      )}
      <span className="truncate max-md:hidden">{host}</span>
      {(tone === 'warn' || tone === 'bad') && (
        <span className={`whitespace-nowrap max-md:hidden ${toneText[tone]}`}>{words}</span>
      )}
    </Link>
  )
  if (!isAway) return link
  return (
    <>
      {link}
      <span className="max-sm:hidden">
        <Button
          variant="quiet"
          icon="refresh"
          aria-label="Retry the server"
          title="It is tried again by itself. Try it now."
          onClick={retryNow}
        >
          Retry
        </Button>
      </span>
    </>
  )
}

/** Hours and minutes of a time in milliseconds since 1970. */
function formatClock(at: number, zone: TimeZone): string {
  return formatTime(new Date(at).toISOString(), zone).slice(11, 16)
}

import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link, useLocation } from 'wouter'
import * as z from 'zod/mini'
import { useConnection } from '../client/connection-context'
import { eventsExistQuery } from '../client/events-exist-query'
import { storedValue } from '../client/stored-value'
import { ForeignText } from '../format/ForeignText'
import { usePreferences } from '../format/preferences'
import { formatVisibleText } from '../format/visible-text'
import { Button } from '../ui/Button'
import { buttonClass } from '../ui/button-class'
import { CopyButton } from '../ui/CopyButton'
import { usePageName } from '../ui/page-name'
import { PageHeader } from '../ui/PageHeader'
import { ThreadExport } from './export/ThreadExport'
import { ThreadFigures, ThreadIdentity } from './ThreadFigures'
import { readIdOfPage } from '../format/thread-href'
import { NothingFound } from './NothingFound'
import { ThreadView } from './turns/ThreadView'
import { formatThreadProblem, useThread } from './use-thread'

/** The page of one thread: the same view as in the panel beside the table, with room for an open turn beside the others. */
export function ThreadPage() {
  // The router's parameter is decoded only in part, so the address itself is read; this hook renders when it changes.
  useLocation()
  const id = readIdOfPage(location.pathname)
  return id === undefined ? <NothingFound title="Thread" text="The address names no thread." /> : <OneThread key={id} id={id} />
}

function OneThread({ id }: { id: string }) {
  const { zone } = usePreferences()
  const { thread, problem, readAt } = useThread(id)
  const [isLive, setIsLive] = useIsLive()
  usePageName(formatVisibleText(id))
  if (problem === 'missing') return <NothingFound title="Thread" text={formatThreadProblem(problem)} id={id} />
  const display = { zone, now: readAt }
  return (
    <div className="flex h-full min-h-0 flex-col">
      <PageHeader title={<ForeignText text={id} />} aside="Thread">
        <LiveSwitch isLive={isLive} onChange={setIsLive} />
        <CopyButton label="Copy thread id" text={id} />
        <Link href={`/threads?${new URLSearchParams({ row: id })}`} className={buttonClass('quiet')}>
          All threads
        </Link>
      </PageHeader>
      {problem && <p className="border-t border-line px-4 py-2 text-quiet">{formatThreadProblem(problem)}</p>}
      <div className="flex min-h-0 flex-1 flex-col border-t border-line">
        {/* The parts of the view are one level below the heading of the panel; here nothing else stands in its place. */}
        <h2 className="sr-only">Conversation</h2>
        <ThreadView
          isPage
          threadId={id}
          isLive={isLive}
          renderTools={(turns, isComplete) => <ThreadExport threadId={id} turns={turns} hasAllTurns={isComplete} />}
          figures={
            thread && (
              <>
                <ThreadFigures thread={thread} display={display} />
                <ThreadIdentity thread={thread} />
              </>
            )
          }
        />
      </div>
    </div>
  )
}

/** Kept on this device: who watches one thread watches the next one too. */
function useIsLive() {
  const stored = storedValue(z.boolean(), 'spool.thread.live', 'device')
  const [isLive, setIsLive] = useState(() => stored.read() ?? false)
  const change = (next: boolean) => {
    setIsLive(next)
    stored.write(next)
  }
  return [isLive, change] as const
}

/** Only where the service tells what changes. */
function LiveSwitch({ isLive, onChange }: { isLive: boolean; onChange: (isLive: boolean) => void }) {
  const { data: exists = false } = useQuery(eventsExistQuery(useConnection()))
  if (!exists && !isLive) return null
  return (
    <Button
      variant="quiet"
      icon="clock"
      aria-pressed={isLive}
      className="aria-pressed:text-accent!"
      onClick={() => onChange(!isLive)}
    >
      Live
    </Button>
  )
}

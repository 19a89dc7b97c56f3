import { useState } from 'react'
import { useConnection } from '../client/connection-context'
import { ForeignText } from '../format/ForeignText'
import { useUrlState } from '../table/view/use-url-state'
import { Link } from 'wouter'
import { buttonClass } from '../ui/button-class'
import { EmptyState } from '../ui/EmptyState'
import { PageHeader } from '../ui/PageHeader'
import { Segmented } from '../ui/Segmented'
import { Skeleton } from '../ui/Skeleton'
import { ReceivedStatus } from './ReceivedStatus'
import { toDestination } from './guide'
import { buildGuide } from './build-guide'
import { GuideSteps } from './GuideSteps'
import { newCallIds } from './curl-guide'
import { type Client, hasLanguages, setupParams } from './setup-view'
import { QuarantineNote } from './QuarantineNote'
import { useAcceptedClients } from './use-accepted-clients'
import { useReceivedCalls } from './use-received-calls'

const clientOptions = [
  { value: 'weave', label: 'Weave' },
  { value: 'otel', label: 'OpenTelemetry' },
  { value: 'openinference', label: 'OpenInference' },
  { value: 'openllmetry', label: 'OpenLLMetry' },
  { value: 'curl', label: 'curl' },
] as const

const languageOptions = [
  { value: 'typescript', label: 'TypeScript' },
  { value: 'python', label: 'Python' },
] as const

/** Explains how to send calls with each client, and shows whether they are received. `?with=` and `?in=` select the guide. */
export function SetupPage() {
  const { projectId } = useConnection()
  const accepted = useAcceptedClients()
  return (
    <div className="flex min-h-full flex-col">
      <PageHeader
        title="Send data"
        aside={
          <>
            to <ForeignText text={projectId} />
          </>
        }
      />
      {accepted === undefined ? (
        <div className="flex-1 border-t border-line px-4 py-4">
          <Skeleton className="h-7 w-64" />
        </div>
      ) : accepted.length === 0 ? (
        <TakesNoData />
      ) : (
        <Guides accepted={accepted} />
      )}
    </div>
  )
}

function TakesNoData() {
  return (
    <div className="flex-1 border-t border-line">
      <EmptyState
        action={
          <Link href="/connection" className={buttonClass()}>
            Connection
          </Link>
        }
      >
        This server shows costs, threads and queues, and takes no calls. Send them to the service that it gets its data from, or
        connect a Spool.
      </EmptyState>
    </div>
  )
}

function Guides({ accepted }: { accepted: readonly Client[] }) {
  const connection = useConnection()
  const [view, setView] = useUrlState(setupParams)
  const check = useReceivedCalls()
  const [sample, setSample] = useState(newCallIds)
  const [openedAt] = useState(Date.now)
  // The server has this sample call now: the next copied command must send another one.
  if (check.received?.kind === 'some' && check.received.call?.id === sample.id) setSample(newCallIds())

  const options = clientOptions.filter(({ value }) => accepted.includes(value))
  const client = accepted.includes(view.with) ? view.with : (options[0]?.value ?? view.with)
  const hidden = clientOptions.filter(({ value }) => !accepted.includes(value)).map(({ label }) => label)
  const guide = buildGuide({
    client,
    language: view.in,
    destination: toDestination(connection, location.origin),
    sample,
    openedAt,
  })
  return (
    <>
      <div className="flex-1 border-t border-line px-4 py-4 [&_:is(a,button,input,pre)]:scroll-mb-28">
        {check.received && <QuarantineNote />}
        <div className="mb-5 flex flex-wrap items-center gap-3">
          <Segmented
            label="Client"
            value={client}
            options={options}
            onChange={(chosen) => setView({ with: chosen })}
            className="h-auto! min-h-7 shrink! flex-wrap [&_label]:min-h-6"
          />
          {hasLanguages(client) && (
            <Segmented
              label="Language"
              value={view.in}
              options={languageOptions}
              onChange={(language) => setView({ in: language })}
            />
          )}
          {hidden.length > 0 && <p className="text-quiet">This server has no address for {formatList(hidden)}.</p>}
        </div>
        <div className="max-w-200">
          <GuideSteps guide={guide} />
        </div>
      </div>
      <section
        aria-label="Received calls"
        className="border-t border-line bg-surface px-4 py-3 sm:sticky sm:bottom-0 [@media(max-height:520px)]:static"
      >
        <ReceivedStatus {...check} />
      </section>
    </>
  )
}

function formatList(names: readonly string[]): string {
  return names.length < 2 ? names.join() : `${names.slice(0, -1).join(', ')} or ${names.at(-1) ?? ''}`
}

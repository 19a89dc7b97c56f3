import { useState } from 'react'
import { useConnection } from '../client/connection-context'
import { useUrlState } from '../table/view/use-url-state'
import { PageHeader } from '../ui/PageHeader'
import { Segmented } from '../ui/Segmented'
import { ReceivedStatus } from './ReceivedStatus'
import { toDestination } from './guide'
import { buildGuide } from './build-guide'
import { GuideSteps } from './GuideSteps'
import { newCallIds } from './curl-guide'
import { hasLanguages, setupParams } from './setup-view'
import { QuarantineNote } from './QuarantineNote'
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
  const connection = useConnection()
  const [view, setView] = useUrlState(setupParams)
  const check = useReceivedCalls()
  const [sample, setSample] = useState(newCallIds)
  const [openedAt] = useState(Date.now)
  // The server has this sample call now: the next copied command must send another one.
  if (check.received?.kind === 'some' && check.received.call?.id === sample.id) setSample(newCallIds())

  const guide = buildGuide({
    client: view.with,
    language: view.in,
    destination: toDestination(connection, location.origin),
    sample,
    openedAt,
  })
  return (
    <div className="flex min-h-full flex-col">
      <PageHeader title="Send data" aside={`to ${connection.projectId}`} />
      <div className="flex-1 border-t border-line px-4 py-4 [&_:is(a,button,input,pre)]:scroll-mb-28">
        {check.received && <QuarantineNote />}
        <div className="mb-5 flex flex-wrap gap-3">
          <Segmented
            label="Client"
            value={view.with}
            options={clientOptions}
            onChange={(client) => setView({ with: client })}
            className="h-auto! min-h-7 shrink! flex-wrap *:min-h-6"
          />
          {hasLanguages(view.with) && (
            <Segmented
              label="Language"
              value={view.in}
              options={languageOptions}
              onChange={(language) => setView({ in: language })}
            />
          )}
        </div>
        <div className="max-w-200">
          <GuideSteps guide={guide} />
        </div>
      </div>
      <section
        aria-label="Received calls"
        className="border-t border-line bg-surface px-4 py-3 sm:sticky sm:bottom-0 [@media(max-height:420px)]:static"
      >
        <ReceivedStatus {...check} />
      </section>
    </div>
  )
}

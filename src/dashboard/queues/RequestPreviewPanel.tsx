import { useState } from 'react'
import { createQueue } from '../../contract/queues'
import { useConnection } from '../client/connection-context'
import { formatCurlCommands, formatRequestJson, type RequestPreview } from '../client/request-preview'
import { formatVisibleLines } from '../format/visible-text'
import { CopyButton } from '../ui/CopyButton'
import { type QueueDraft, toRequest } from './queue-draft'

type Props = { draft: QueueDraft; headers: RequestPreview['headers'] }

/** The exact request that will be sent, as JSON and as a curl command. */
export function RequestPreviewPanel({ draft, headers }: Props) {
  const connection = useConnection()
  // On a wide screen the panel stands beside the form and is open.
  const [isOpen, setIsOpen] = useState(() => matchMedia('(min-width: 80rem)').matches)
  const input = { project_id: connection.projectId, ...toRequest(draft) }
  const requests = [{ endpoint: createQueue, input, headers }]
  return (
    <details
      open={isOpen}
      onToggle={(event) => setIsOpen(event.currentTarget.open)}
      className="min-w-0 max-xl:border-t max-xl:border-line max-xl:pt-3"
    >
      <summary>What will be sent</summary>
      <CodeBlock label="JSON" text={formatRequestJson(requests)} />
      <CodeBlock label="curl" text={formatCurlCommands(requests, connection, location.origin)} />
    </details>
  )
}

function CodeBlock({ label, text }: { label: string; text: string }) {
  return (
    <figure className="mt-3">
      <figcaption className="flex items-center justify-between text-quiet">
        {label}
        <CopyButton text={text} label={`Copy ${label}`} />
      </figcaption>
      <pre
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- the keyboard must be able to scroll it
        tabIndex={0}
        aria-label={label}
        className="max-h-80 overflow-auto rounded-md bg-sunken p-3 font-mono text-xs whitespace-pre-wrap break-all"
      >
        {formatVisibleLines(text)}
      </pre>
    </figure>
  )
}

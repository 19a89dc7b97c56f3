import { EmptyState } from '../ui/EmptyState'

export function ThreadsEmpty() {
  return (
    <EmptyState>
      No thread has a turn yet. Send calls that carry a thread id, by a Weave SDK or as OpenTelemetry spans to /otel/v1/traces,
      and their threads appear here.
    </EmptyState>
  )
}

import type { ReactNode } from 'react'
import { FailureActions, formatFailure } from '../../table/grid/Failure'
import { Banner } from '../../ui/Banner'
import { Skeleton } from '../../ui/Skeleton'
import { TurnsUnavailableError } from './turns-query'

type FailureProps = { error: Error; refetch: () => Promise<unknown> }
type Props = Omit<FailureProps, 'error'> & {
  error: Error | null
  isComplete: boolean
  /** The figures of the thread. */
  children: ReactNode
}

/** Stands in the place of the turns where there are none: why, and the figures of the thread. */
export function NoTurns({ error, refetch, isComplete, children }: Props) {
  if (!error && !isComplete) {
    return (
      <output aria-label="Loading the turns" className="flex flex-col gap-3 px-4 py-4">
        <Skeleton className="h-16 w-full" />
        <Skeleton className="h-4 w-48" />
      </output>
    )
  }
  return (
    <div className="min-h-0 flex-1 overflow-y-auto">
      {error && !(error instanceof TurnsUnavailableError) ? (
        <TurnsFailure error={error} refetch={refetch} />
      ) : (
        <p className="border-b border-line px-4 py-3 text-quiet">
          {error ? 'This service does not list turns, so there is no time axis.' : 'This thread has no turns.'}
        </p>
      )}
      {children}
    </div>
  )
}

export function TurnsFailure({ error, refetch }: FailureProps) {
  return (
    <Banner
      tone="bad"
      className="m-4"
      title="The turns could not be read"
      actions={<FailureActions error={error} refetch={refetch} />}
    >
      {formatFailure(error)}
    </Banner>
  )
}

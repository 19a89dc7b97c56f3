import { isMissingOperation } from '../../client/api-error'
import { formatFailure } from '../../table/grid/Failure'

/** In place of figures that could not be read. */
export function OverviewFailure({ error, path }: { error: Error; path: string }) {
  const isMissing = isMissingOperation(error)
  return (
    <p role={isMissing ? undefined : 'alert'} className="min-w-0 text-quiet break-words">
      {isMissing
        ? `This service does not tell this: it has no ${path}, which is a Spool extension.`
        : `This could not be read. ${formatFailure(error)}`}
    </p>
  )
}

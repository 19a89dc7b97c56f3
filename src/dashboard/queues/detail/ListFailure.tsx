import { FailureActions, formatFailure } from '../../table/grid/Failure'
import { Banner } from '../../ui/Banner'

type Props = { title: string; error: Error; refetch: () => Promise<unknown> }

/** What went wrong, and what can be done about it. */
export function ListFailure({ title, error, refetch }: Props) {
  return (
    <Banner tone="bad" className="mx-4 mb-3" title={title} actions={<FailureActions error={error} refetch={refetch} />}>
      {formatFailure(error)}
    </Banner>
  )
}

import type { Stratum, ThreadSample } from '../../../contract/thread-sample'
import { formatCount, formatQuantity } from '../../format/count'
import { ForeignText } from '../../format/ForeignText'
import { FailureActions, formatFailure } from '../grid/Failure'
import { Banner } from '../../ui/Banner'
import type { TurnSelection } from './evidence'

type Props = {
  query: { data: ThreadSample | undefined; error: Error | null; isCurrent: boolean; refetch: () => Promise<unknown> }
  selection: TurnSelection
  /** Only turns that started within the filter's bounds count. */
  hasWindow: boolean
}

/** How many turns there are, and how many a sample takes of each group. */
export function ChosenTurns({ query: { data, error, isCurrent, refetch }, selection: { isSample }, hasWindow }: Props) {
  if (error) {
    return (
      <Banner tone="bad" title="The turns could not be counted" actions={<FailureActions error={error} refetch={refetch} />}>
        {formatFailure(error)}
      </Banner>
    )
  }
  if (!data) return <output className="text-quiet">Counting…</output>
  const { turn_count: turnCount, thread_count: threadCount, strata, turn_ids: ids } = data
  return (
    <div className={isCurrent ? '' : 'text-faint'}>
      <output className="block tabular-nums">
        {turnCount === 0
          ? 'No turn matches.'
          : `${formatQuantity(turnCount, 'turn')} of ${formatQuantity(threadCount, 'thread')}${hasWindow ? ' in the time range' : ''}${isSample ? `; the sample has ${formatCount(String(ids.length))}` : ''}.`}
      </output>
      {isSample && strata.length > 0 && <Strata strata={strata} />}
    </div>
  )
}

const maxShown = 6
const names: Readonly<Record<string, string>> = {
  '': 'no known model',
  slowest_tenth: 'slowest tenth',
  failed: 'with errors',
}

function Strata({ strata }: { strata: readonly Stratum[] }) {
  return (
    <ul className="mt-1 flex flex-wrap gap-x-4 text-quiet tabular-nums">
      {strata.slice(0, maxShown).map(({ name, turn_count: turnCount, sampled_count: sampledCount }) => (
        <li key={name}>
          <ForeignText text={names[name] ?? name} /> {formatCount(String(sampledCount))} of {formatCount(String(turnCount))}
        </li>
      ))}
      {strata.length > maxShown && <li>{`${strata.length - maxShown} more`}</li>}
    </ul>
  )
}

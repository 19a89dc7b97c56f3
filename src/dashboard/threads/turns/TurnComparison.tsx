import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { queryCallTree } from '../../../contract/call-tree'
import { parsePlainDecimal, subtractDecimals } from '../../../contract/decimal'
import { NotFoundError } from '../../client/api-error'
import { useConnection } from '../../client/connection-context'
import { streamQuery } from '../../client/stream-query'
import { ForeignText } from '../../format/ForeignText'
import { formatAmount, formatCurrency } from '../../format/amount'
import { formatCount } from '../../format/count'
import { formatDuration, formatExactDuration } from '../../format/duration'
import { FailureActions, formatFailure } from '../../table/grid/Failure'
import { Banner } from '../../ui/Banner'
import { Button } from '../../ui/Button'
import { Skeleton } from '../../ui/Skeleton'
import { type ComparedCalls, compareCalls } from './compare-calls'
import type { ThreadTurn } from './thread-turn'
import { TurnCost, TurnDuration, TurnModels } from './TurnFigures'
import { TurnStatus } from './TurnStatus'

type Props = { turns: readonly ThreadTurn[]; leftIndex: number; rightIndex: number; onSwap: () => void; onEnd: () => void }

/** Two turns side by side: their figures, and which calls took longer in which. */
export function TurnComparison({ turns, leftIndex, rightIndex, onSwap, onEnd }: Props) {
  const [left, right] = [turns[leftIndex], turns[rightIndex]]
  if (!left || !right) return null
  const rows: { name: string; render: (turn: ThreadTurn) => ReactNode; difference?: string }[] = [
    { name: 'Status', render: ({ status }) => <TurnStatus status={status} hasText /> },
    {
      name: 'Duration',
      render: (turn) => <TurnDuration turn={turn} />,
      difference: formatDifference(subtract(left.durationMs, right.durationMs)),
    },
    { name: 'Model', render: ({ models }) => <TurnModels models={models} /> },
    { name: 'Prompt tokens', ...compareCounts(left, right, ({ tokens }) => tokens?.prompt ?? null) },
    { name: 'Completion tokens', ...compareCounts(left, right, ({ tokens }) => tokens?.completion ?? null) },
    { name: 'Cost', render: (turn) => <TurnCost turn={turn} />, difference: formatCostDifference(left, right) },
    { name: 'Calls', ...compareCounts(left, right, ({ callCount }) => callCount) },
  ]
  return (
    <div className="turn-comparison">
      <div className="mb-2 flex flex-wrap items-center gap-2">
        <h4 className="mr-auto font-semibold">
          Turn {leftIndex + 1} compared with turn {rightIndex + 1}
        </h4>
        <Button variant="quiet" onClick={onSwap}>
          Swap
        </Button>
        <Button onClick={onEnd}>End the comparison</Button>
      </div>
      <table className="compare-table">
        <caption className="sr-only">Figures of both turns</caption>
        <ComparisonHead first="Figure" left={`Turn ${leftIndex + 1}`} right={`Turn ${rightIndex + 1}`} />
        <tbody>
          {rows.map(({ name, render, difference }) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td>{render(left)}</td>
              <td>{render(right)}</td>
              <td>{difference ?? ''}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <CallComparison leftTurn={left} rightTurn={right} leftIndex={leftIndex} rightIndex={rightIndex} />
    </div>
  )
}

function ComparisonHead({ first, left, right }: { first: string; left: string; right: string }) {
  return (
    <thead>
      <tr>
        <th scope="col">{first}</th>
        <th scope="col">{left}</th>
        <th scope="col">{right}</th>
        <th scope="col">Difference</th>
      </tr>
    </thead>
  )
}

type CallComparisonProps = { leftTurn: ThreadTurn; rightTurn: ThreadTurn; leftIndex: number; rightIndex: number }

function CallComparison({ leftTurn, rightTurn, leftIndex, rightIndex }: CallComparisonProps) {
  const left = useTree(leftTurn.id)
  const right = useTree(rightTurn.id)
  const error = left.error ?? right.error
  if (error instanceof NotFoundError) {
    return <p className="mt-4 text-quiet">This service has no call trees, so only the turns are compared.</p>
  }
  if (error) {
    const refetch = () => Promise.all([left.refetch(), right.refetch()])
    return (
      <Banner
        tone="bad"
        className="mt-4"
        title="The calls could not be read"
        actions={<FailureActions error={error} refetch={refetch} />}
      >
        {formatFailure(error)}
      </Banner>
    )
  }
  if (!left.data?.isComplete || !right.data?.isComplete) {
    return (
      <output aria-label="Loading the calls" className="mt-4 block">
        <Skeleton className="h-4 w-48" />
      </output>
    )
  }
  return (
    <>
      <h4 className="mt-5 mb-1 font-semibold">What took longer</h4>
      <p className="mb-2 text-xs text-quiet">
        By the name of the calls, without the time of the calls below them, so that the differences add up.
      </p>
      <table className="compare-table">
        <caption className="sr-only">Calls of both turns, by name</caption>
        <ComparisonHead first="Call" left={`Turn ${leftIndex + 1}`} right={`Turn ${rightIndex + 1}`} />
        <tbody>
          {compareCalls(left.data.rows, right.data.rows).map((calls) => (
            <tr key={calls.name}>
              <th scope="row" className="wrap-anywhere">
                <ForeignText text={calls.name} />
              </th>
              <CallSide side={calls.left} />
              <CallSide side={calls.right} />
              <td>{formatDifference(calls.differenceMs)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  )
}

function useTree(callId: string) {
  const connection = useConnection()
  return useQuery(streamQuery(queryCallTree, { project_id: connection.projectId, call_id: callId }, connection))
}

function CallSide({ side: { count, selfMs } }: { side: ComparedCalls['left'] }) {
  if (count === 0) return <td className="text-faint">none</td>
  return (
    <td>
      {selfMs === null ? 'running' : <span title={formatExactDuration(selfMs)}>{formatDuration(selfMs)}</span>}
      {count > 1 && <span className="text-xs text-quiet"> ×{formatCount(String(count))}</span>}
    </td>
  )
}

function compareCounts(left: ThreadTurn, right: ThreadTurn, read: (turn: ThreadTurn) => number | null) {
  const difference = subtract(read(left), read(right))
  return {
    render: (turn: ThreadTurn) => {
      const count = read(turn)
      return count === null ? '—' : formatCount(String(count))
    },
    difference:
      difference === null ? '—' : difference === 0 ? 'same' : `${sign(difference)}${formatCount(String(Math.abs(difference)))}`,
  }
}

function subtract(one: number | null, other: number | null): number | null {
  return one === null || other === null ? null : one - other
}

function formatDifference(milliseconds: number | null): string {
  if (milliseconds === null) return '—'
  return milliseconds === 0 ? 'same' : `${sign(milliseconds)}${formatDuration(Math.abs(milliseconds))}`
}

/** Only sums of one currency can be subtracted, and only those that have the price of every call. */
function formatCostDifference(left: ThreadTurn, right: ThreadTurn): string {
  const [one, more] = left.costs ?? []
  const [other, ...rest] = right.costs ?? []
  const isPartial = more || rest.length > 0 || left.unpricedCallCount + right.unpricedCallCount > 0
  if (!one || one.currency !== other?.currency || isPartial) return '—'
  const difference = subtractDecimals(parsePlainDecimal(one.total), parsePlainDecimal(other.total))
  if (difference.digits === 0n) return 'same'
  // A sum below zero has its sign.
  return `${difference.digits > 0n ? '+' : ''}${formatAmount(difference).text} ${formatCurrency(one.currency)}`
}

function sign(difference: number): string {
  return difference < 0 ? '−' : '+'
}

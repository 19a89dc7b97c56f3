import { useMemo } from 'react'
import type { ThreadCell, ThreadShape } from '../../../contract/thread-shape'
import { formatCount, formatQuantity } from '../../format/count'
import { formatVisibleText } from '../../format/visible-text'
import { ChartTable } from '../../ui/chart/ChartTable'
import { GridChart } from '../../ui/chart/GridChart'
import { buildGrid, countFrom } from './build-grid'
import { formatStep } from './format-step'
import type { OverviewProps } from './overview-props'

type Props = Pick<OverviewProps, 'setView' | 'isTable'> & { shape: ThreadShape }

/** Threads by turns and p99. A chosen place becomes the fewest turns and the least p99 of the list. */
export function TurnsChart({ shape: { threads: cells }, setView, isTable }: Props) {
  const grid = useMemo(() => buildGrid(cells), [cells])
  if (!grid) return <p className="text-quiet">No thread with a finished turn.</p>
  const label = 'Threads by turns and p99'
  if (isTable) {
    return (
      <ChartTable
        label={label}
        rowLabel="Turns"
        columns={[
          { id: 'p99', label: 'p99' },
          { id: 'threads', label: 'Threads' },
        ]}
        rows={cells.map((cell, index) => ({
          id: index,
          name: formatTurns(cell),
          values: [`${formatStep(cell.from_ms)} to ${formatStep(cell.to_ms)}`, formatCount(String(cell.thread_count))],
        }))}
      />
    )
  }
  const read = (column: number, row: number) => {
    const turns = grid.columns[column]?.value ?? 1
    const ms = grid.rows[row]?.value ?? 0
    const cell = cells.find(({ from_turns, from_ms }) => from_turns === turns && from_ms === ms)
    const names = cell?.threads.map(({ thread_id }) => formatVisibleText(thread_id)).join(', ')
    return {
      from: `From ${formatQuantity(turns, 'turn')} and a p99 of ${formatStep(ms)} on: ${formatQuantity(countFrom(cells, turns, ms), 'thread')}`,
      here: cell ? `Here ${formatQuantity(cell.thread_count, 'thread')}${names ? `: ${names}` : ''}` : 'Here none',
    }
  }
  return (
    <GridChart
      label={label}
      hint="Left and right go by turns, up and down by p99. Enter keeps the threads with at least as many turns and at least this p99."
      columns={grid.columns}
      rows={grid.rows}
      cells={grid.cells}
      columnTicks={grid.columnTicks.map((value) => ({ at: grid.toColumnShare(value), label: formatCount(String(value)) }))}
      rowTicks={grid.rowTicks.map((value) => ({ at: grid.toRowShare(value), label: formatStep(value) }))}
      describe={(column, row) => Object.values(read(column, row)).join('. ')}
      renderReadout={(column, row) => {
        const { from, here } = read(column, row)
        return (
          <>
            <p className="font-semibold">{from}</p>
            <p className="break-words">{here}</p>
          </>
        )
      }}
      onSelect={(column, row) =>
        setView({
          // From the first column or row on is all of them.
          turns: column === 0 ? 0 : (grid.columns[column]?.value ?? 0),
          p99: row === 0 ? 0 : Math.floor(grid.rows[row]?.value ?? 0),
        })
      }
    />
  )
}

function formatTurns({ from_turns, to_turns }: ThreadCell): string {
  return to_turns - from_turns === 1 ? String(from_turns) : `${from_turns} to ${to_turns - 1}`
}

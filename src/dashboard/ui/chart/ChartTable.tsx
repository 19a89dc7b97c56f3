import type { ReactNode } from 'react'

type Props = {
  label: string
  /** What a row is: "day". The head of the table has it with a capital. */
  rowLabel: string
  columns: readonly { id: string; label: ReactNode }[]
  rows: readonly { id: number; name: string; values: readonly string[] }[]
}

/** The figures of a chart: one row for each bar. */
export function ChartTable({ label, rowLabel, columns, rows }: Props) {
  return (
    // A region that scrolls needs a stop for the keyboard.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <section className="chart-table" aria-label={`${label}, as a table`} tabIndex={0}>
      <table>
        <thead>
          <tr>
            <th scope="col">{capitalize(rowLabel)}</th>
            {columns.map((column) => (
              <th key={column.id} scope="col">
                {column.label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ id, name, values }) => (
            <tr key={id}>
              <th scope="row">{name}</th>
              {values.map((value, index) => (
                <td key={columns[index]?.id}>{value}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

function capitalize(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1)
}

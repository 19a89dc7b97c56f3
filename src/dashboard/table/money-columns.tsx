import { ForeignText } from '../format/ForeignText'
import type { Column } from './column'

type Sum = { currency: string; total: string }

/** One sum is a number: its currency has a column of its own. Sums in several currencies cannot be added, and name theirs. */
export function formatExportedSums(sums: readonly Sum[] = []): string | null {
  const isOne = sums.length === 1
  return sums.map(({ currency, total }) => (isOne ? total : `${total} ${currency}`)).join(', ') || null
}

/** The currency of sums for exports. On screen the header has it, or each sum. */
export function currencyColumn<Row, Display>(
  readSums: (row: Row, display: Display) => readonly Sum[] | undefined,
): Column<Row, Display> {
  const format = (row: Row, display: Display) =>
    readSums(row, display)
      ?.map(({ currency }) => currency)
      .join(', ') || null
  return {
    id: 'currency',
    label: 'Currency',
    width: 96,
    isHiddenByDefault: true,
    cell: (row, display) => <ForeignText text={format(row, display) ?? '—'} />,
    exportValue: format,
    isAlwaysExported: true,
  }
}

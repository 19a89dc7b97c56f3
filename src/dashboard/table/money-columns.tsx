import { ForeignText } from '../format/ForeignText'
import type { Column } from './column'

type Sum = { currency: string; total: string }

/**
 * One sum is a number where the row has one currency, which the column of the currency names. Sums in several currencies cannot be
 * added, and name theirs. `currencies`: those of the row, where it has more sums than these.
 */
export function formatExportedSums(
  sums: readonly Sum[] = [],
  currencies: readonly string[] = sums.map(({ currency }) => currency),
): string | null {
  const isOne = sums.length === 1 && currencies.length === 1 && currencies[0] === sums[0]?.currency
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

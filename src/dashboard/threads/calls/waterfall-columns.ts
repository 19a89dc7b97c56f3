type ColumnId = 'name' | 'time' | 'self' | 'total' | 'model' | 'tokens' | 'cost'
export type WaterfallColumn = { id: ColumnId; title: string; width: string; isFigure: boolean }

export type WaterfallLayout = {
  /** A call takes two lines: its name, and its bar below it. */
  isNarrow: boolean
  columns: readonly WaterfallColumn[]
  /** How many levels are drawn further to the right than the one above. */
  maxIndent: number
}

const name = (width: string): WaterfallColumn => ({ id: 'name', title: 'Call', width, isFigure: false })
const time: WaterfallColumn = { id: 'time', title: 'Time since the start', width: 'auto', isFigure: false }
const figure = (id: ColumnId, title: string, width: string): WaterfallColumn => ({ id, title, width, isFigure: true })

const durations = [figure('self', 'Self', '84px'), figure('total', 'Total', '84px')]

/** The columns that fit a width in pixels. What is left out stands in the details of a call. */
export function getColumns(width: number): WaterfallLayout {
  if (width < 520) return { isNarrow: true, columns: [time], maxIndent: 8 }
  if (width < 1000) return { isNarrow: false, columns: [name('40%'), time, ...durations], maxIndent: 8 }
  const model: WaterfallColumn = { id: 'model', title: 'Model', width: '140px', isFigure: false }
  const spent = [figure('tokens', 'Tokens', '76px'), figure('cost', 'Cost', '116px')]
  return { isNarrow: false, columns: [name('30%'), time, ...durations, model, ...spent], maxIndent: 12 }
}

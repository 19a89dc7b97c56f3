type ColumnId = 'name' | 'time' | 'self' | 'total' | 'model' | 'tokens' | 'cost'
export type WaterfallColumn = { id: ColumnId; title: string; width: string; isFigure: boolean }

export type WaterfallLayout = {
  /** A call takes two lines: its name, and its bar below it. */
  isNarrow: boolean
  columns: readonly WaterfallColumn[]
  /** How many levels are drawn further to the right than the one above. */
  maxIndent: number
  /** How far, as a CSS length. 100% is the room of a name with its marks. */
  indent: string
}

const name = (width: string): WaterfallColumn => ({ id: 'name', title: 'Call', width, isFigure: false })
const time: WaterfallColumn = { id: 'time', title: 'Time since the start', width: 'auto', isFigure: false }
const figure = (id: ColumnId, title: string, width: string): WaterfallColumn => ({ id, title, width, isFigure: true })

const self = figure('self', 'Self', '84px')
const total = figure('total', 'Total', '84px')

/** Of the marks around a name and twelve characters of it, without and with its level. In pixels. */
const nameWidth = 160
const nameWithLevelWidth = 196

/** The columns that fit a width in pixels. What is left out stands in the details of a call. */
export function getColumns(width: number, maxLevel: number): WaterfallLayout {
  const maxIndent = Math.min(maxLevel, width < 1000 ? 8 : 12)
  const reserved = maxLevel > maxIndent ? nameWithLevelWidth : nameWidth
  return {
    isNarrow: width < 520,
    columns: chooseColumns(width, maxLevel),
    maxIndent,
    indent: `clamp(0px, (100% - ${reserved}px) / ${maxIndent}, 12px)`,
  }
}

function chooseColumns(width: number, maxLevel: number): WaterfallColumn[] {
  if (width < 520) return [time]
  // The names of deep calls need more room.
  if (width < 700 && maxLevel > 4) return [name('50%'), time, total]
  if (width < 1000) return [name('40%'), time, self, total]
  const model: WaterfallColumn = { id: 'model', title: 'Model', width: '140px', isFigure: false }
  return [name('30%'), time, self, total, model, figure('tokens', 'Tokens', '76px'), figure('cost', 'Cost', '116px')]
}

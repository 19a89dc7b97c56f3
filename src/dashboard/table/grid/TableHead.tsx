import { HeaderCell } from './HeaderCell'
import { type ColumnModel, selectionWidth } from './use-column-model'

type Props<Row extends object, Context> = {
  model: ColumnModel<Row, Context>
  context: Context
  hasMenus: boolean
  hasRows: boolean
  isEverySelected: boolean
  onSelectAll: (isSelected: boolean) => void
}

export function TableHead<Row extends object, Context>(props: Props<Row, Context>) {
  const { model, context, hasMenus, hasRows, isEverySelected, onSelectAll } = props
  const { placed, layout } = model
  // The row header takes the room that is left, unless columns stick beside it and must know its width.
  const elasticId = layout.pinned.length > 0 ? placed.at(-1)?.column.id : placed[0]?.column.id
  return (
    <thead>
      <tr>
        <th scope="col" data-label="" className="head-cell select-head is-pinned" style={{ width: selectionWidth, left: 0 }}>
          <input
            type="checkbox"
            aria-label="Select all rows of this page"
            checked={isEverySelected}
            disabled={!hasRows}
            onChange={() => onSelectAll(!isEverySelected)}
            className="block size-3.5 cursor-pointer accent-accent"
          />
        </th>
        {placed.map((own) => (
          <HeaderCell
            key={own.column.id}
            placed={own}
            context={context}
            model={model}
            hasMenu={hasMenus}
            isElastic={own.column.id === elasticId && layout.widths[own.column.id] === undefined}
          />
        ))}
      </tr>
    </thead>
  )
}

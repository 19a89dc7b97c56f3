import { lazy, type ReactNode, Suspense } from 'react'
import { Button } from '../ui/Button'
import { IconButton } from '../ui/IconButton'
import { Menu } from '../ui/Menu'
import type { DataTableProps } from './DataTable'
import { ExportMenu } from './ExportMenu'
import type { TableLayout } from './table-layout'
import type { ColumnModel } from './use-column-model'

const ColumnsMenuItems = lazy(() => import('./ColumnsMenuItems').then((module) => ({ default: module.ColumnsMenuItems })))
const RefreshMenuItems = lazy(() => import('./RefreshMenuItems').then((module) => ({ default: module.RefreshMenuItems })))

type Props<Row extends object, Context> = DataTableProps<Row, Context> & {
  model: ColumnModel<Row, Context>
  layout: TableLayout
  changeLayout: (part: Partial<TableLayout>) => void
  selected: ReadonlyMap<string, Row>
  newerCount: number
  onShowNewer: () => void
  onRefresh: () => void
}

/** The line above the table: the page's filters, then what every table can do. */
export function TableToolbar<Row extends object, Context>(props: Props<Row, Context>) {
  const { filters, answer, model, layout, changeLayout, columns, selected, newerCount, onShowNewer, onRefresh } = props
  const { table, hidden } = model
  return (
    <div className="flex flex-wrap items-center gap-2 px-4 pb-2">
      {filters}
      <div className="ml-auto flex flex-wrap items-center gap-1">
        <span className="flex items-center">
          {newerCount > 0 ? (
            <Button variant="primary" icon="arrow-down" onClick={onShowNewer}>
              {newerCount} newer
            </Button>
          ) : (
            <Button variant="quiet" icon="refresh" onClick={onRefresh}>
              Refresh
            </Button>
          )}
          <LazyMenu label="Refresh every" icon="clock" isOn={layout.refreshSeconds > 0}>
            <RefreshMenuItems seconds={layout.refreshSeconds} onChange={(refreshSeconds) => changeLayout({ refreshSeconds })} />
          </LazyMenu>
        </span>
        <LazyMenu label="Columns" icon="columns" isOn={false}>
          <ColumnsMenuItems
            columns={columns.slice(1).map(({ id, label }) => ({ id, label, isShown: !hidden.includes(id) }))}
            onToggle={(id) => table.getColumn(id)?.toggleVisibility()}
            onReset={() => {
              changeLayout({ order: [], pinned: [], widths: {}, hidden: undefined })
              props.setView({ hidden: undefined })
            }}
          />
        </LazyMenu>
        <ExportMenu {...props} answer={answer} selected={selected} placed={model.placed} />
      </div>
    </div>
  )
}

/** A menu behind an icon, its items loaded when it is first opened. */
function LazyMenu({
  label,
  icon,
  isOn,
  children,
}: {
  label: string
  icon: 'clock' | 'columns'
  isOn: boolean
  children: ReactNode
}) {
  return (
    <Menu
      label={label}
      align="end"
      renderTrigger={(trigger) => <IconButton {...trigger} icon={icon} label={label} className={isOn ? 'text-accent!' : ''} />}
    >
      <Suspense fallback={<p className="px-2.5 py-1 text-quiet">Loading…</p>}>{children}</Suspense>
    </Menu>
  )
}

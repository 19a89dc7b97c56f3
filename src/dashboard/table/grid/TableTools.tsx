import type { ReactNode } from 'react'
import { Button } from '../../ui/Button'
import type { IconName } from '../../ui/Icon'
import { IconButton } from '../../ui/IconButton'
import { Menu, MenuItem, MenuLine } from '../../ui/Menu'
import type { TableState } from '../view/use-table-state'
import { ExportMenu } from './ExportMenu'
import { FocusedCellTitle } from './FocusedCellTitle'
import type { ColumnModel } from './use-column-model'
import { useFittingColumns } from './use-fitting-columns'
import { moreIcons } from '../../ui/more-icons'

const refreshChoices = [
  { seconds: 0, label: 'Manually' },
  { seconds: 10, label: 'Every 10 s' },
  { seconds: 30, label: 'Every 30 s' },
  { seconds: 60, label: 'Every minute' },
  { seconds: 300, label: 'Every 5 minutes' },
] as const

type Props<Row extends object, Display> = {
  table: TableState<Row, Display>
  model: ColumnModel<Row, Display>
  display: Display
} & Pick<Parameters<typeof useFittingColumns>[0], 'isPanelOpen' | 'scroller' | 'onFit'>

/** The tools of every table: refresh, columns, export. */
export function TableTools<Row extends object, Display>({ table, model, display, ...panel }: Props<Row, Display>) {
  const { definition, layout, changeLayout, newerCount } = table
  useFittingColumns({ ...panel, visibleColumns: model.visibleColumns, sortedIds: table.view.sort.map(({ id }) => id) })
  return (
    <>
      <span className="flex items-center">
        {newerCount > 0 ? (
          <Button variant="primary" icon="arrow-down" onClick={table.showNewer}>
            {newerCount} newer
          </Button>
        ) : (
          <Button variant="quiet" icon="refresh" onClick={table.refresh}>
            Refresh
          </Button>
        )}
        <IconMenu label="Refresh every" icon="clock" isOn={layout.refreshSeconds > 0}>
          {refreshChoices.map(({ seconds, label }) => (
            <MenuItem
              key={seconds}
              isChecked={seconds === layout.refreshSeconds}
              onSelect={() => changeLayout({ refreshSeconds: seconds })}
            >
              {label}
            </MenuItem>
          ))}
        </IconMenu>
      </span>
      <IconMenu label="Columns" icon={moreIcons.columns}>
        {definition.columns.slice(1).map(({ id, label }) => (
          <MenuItem key={id} isChecked={!table.hiddenIds.includes(id)} onSelect={() => table.toggleHidden(id)}>
            {label}
          </MenuItem>
        ))}
        <MenuLine />
        <MenuItem icon={moreIcons.undo} onSelect={table.resetColumns}>
          Reset columns
        </MenuItem>
      </IconMenu>
      <ExportMenu table={table} model={model} display={display} />
      <FocusedCellTitle />
    </>
  )
}

type MenuProps = { label: string; icon: IconName; isOn?: boolean; children: ReactNode }

function IconMenu({ label, icon, isOn = false, children }: MenuProps) {
  return (
    <Menu
      label={label}
      align="end"
      renderTrigger={(trigger) => <IconButton {...trigger} icon={icon} label={label} className={isOn ? 'text-accent!' : ''} />}
    >
      {children}
    </Menu>
  )
}

import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useConnection } from '../../client/connection-context'
import { eventsExistQuery } from '../../client/events-exist-query'
import { Button } from '../../ui/Button'
import type { IconName } from '../../ui/Icon'
import { IconButton } from '../../ui/IconButton'
import { Menu, MenuItem, MenuLine } from '../../ui/Menu'
import { liveRefresh } from '../view/table-layout'
import type { TableState } from '../view/use-table-state'
import { ExportMenu } from './ExportMenu'
import { FocusedCellTitle } from './FocusedCellTitle'
import { LiveState } from './LiveState'
import type { ColumnModel } from './use-column-model'
import { useLiveRows } from './use-live-rows'
import { moreIcons } from '../../ui/more-icons'

const refreshChoices = [
  { seconds: 10, label: 'Every 10 s' },
  { seconds: 30, label: 'Every 30 s' },
  { seconds: 60, label: 'Every minute' },
  { seconds: 300, label: 'Every 5 minutes' },
] as const

type Props<Row extends object, Display> = {
  table: TableState<Row, Display>
  model: ColumnModel<Row, Display>
  display: Display
}

/** The tools of every table: refresh, columns, export. */
export function TableTools<Row extends object, Display>({ table, model, display }: Props<Row, Display>) {
  const { definition, layout, newerCount } = table
  const topic = layout.refreshSeconds === liveRefresh ? definition.topic : undefined
  const live = useLiveRows(topic, table.data)
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
        {live && (
          // Of one width: the button before it must not move.
          <span className="min-w-17 text-right">
            <LiveState live={live} what="Rows are" />
          </span>
        )}
        <IconMenu label="Refresh every" icon="clock" isOn={layout.refreshSeconds !== 0}>
          <RefreshItem seconds={0} label="Manually" table={table} />
          {definition.topic && <LiveItem table={table} />}
          {refreshChoices.map((choice) => (
            <RefreshItem key={choice.seconds} {...choice} table={table} />
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

type Refreshed = Pick<TableState<never, never>, 'layout' | 'changeLayout'>

function RefreshItem({ seconds, label, table }: { seconds: number; label: string; table: Refreshed }) {
  return (
    <MenuItem
      isChecked={seconds === table.layout.refreshSeconds}
      onSelect={() => table.changeLayout({ refreshSeconds: seconds })}
    >
      {label}
    </MenuItem>
  )
}

/** Only where the service tells what changes: asked when the menu opens. */
function LiveItem({ table }: { table: Refreshed }) {
  const { data: exists = false } = useQuery(eventsExistQuery(useConnection()))
  if (!exists && table.layout.refreshSeconds !== liveRefresh) return null
  return <RefreshItem seconds={liveRefresh} label="Live" table={table} />
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

import type { ReactNode } from 'react'
import type { RequestPreview } from '../../client/request-preview'
import { Button } from '../../ui/Button'
import type { IconName } from '../../ui/Icon'
import { IconButton } from '../../ui/IconButton'
import { Menu } from '../../ui/Menu'
import { moreIcons } from '../../ui/more-icons'
import { ColumnsMenuItems, type ShownColumn } from './ColumnsMenuItems'
import { ExportMenu, type SaveRows } from './ExportMenu'
import { RefreshMenuItems } from './RefreshMenuItems'

type Props = {
  columns: readonly ShownColumn[]
  onToggleColumn: (id: string) => void
  onResetColumns: () => void
  refreshSeconds: number
  onRefreshSeconds: (seconds: number) => void
  newerCount: number
  onShowNewer: () => void
  onRefresh: () => void
  selectedCount: number
  request: RequestPreview
  save: SaveRows
}

/** What every table can do. Loaded after the first rows are there, which need none of it. */
export function TableTools(props: Props) {
  const { columns, onToggleColumn, onResetColumns, refreshSeconds, onRefreshSeconds, newerCount, onShowNewer, onRefresh } = props
  return (
    <>
      <span className="flex items-center">
        {newerCount > 0 ? (
          <Button variant="primary" icon="arrow-down" onClick={onShowNewer}>
            {newerCount} newer
          </Button>
        ) : (
          <Button variant="quiet" icon={moreIcons.refresh} onClick={onRefresh}>
            Refresh
          </Button>
        )}
        <IconMenu label="Refresh every" icon="clock" isOn={refreshSeconds > 0}>
          <RefreshMenuItems seconds={refreshSeconds} onChange={onRefreshSeconds} />
        </IconMenu>
      </span>
      <IconMenu label="Columns" icon={moreIcons.columns} isOn={false}>
        <ColumnsMenuItems columns={columns} onToggle={onToggleColumn} onReset={onResetColumns} />
      </IconMenu>
      <ExportMenu selectedCount={props.selectedCount} request={props.request} save={props.save} />
    </>
  )
}

type MenuProps = { label: string; icon: IconName; isOn: boolean; children: ReactNode }

function IconMenu({ label, icon, isOn, children }: MenuProps) {
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

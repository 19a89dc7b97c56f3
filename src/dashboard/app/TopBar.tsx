import { lazy, Suspense } from 'react'
import { useConnection } from '../client/connection-context'
import { Button } from '../ui/Button'
import { Icon } from '../ui/Icon'
import { IconButton } from '../ui/IconButton'
import { Kbd } from '../ui/Kbd'
import { Popover } from '../ui/Popover'
import { PreferenceMenus } from './PreferenceMenus'
import { ServerState } from './ServerState'

const ProjectPicker = lazy(() => import('./ProjectPicker').then(({ ProjectPicker: component }) => ({ default: component })))

type Props = { onPalette: () => void; onHelp: () => void }

/** The project in view, the server it comes from, and how things are shown. */
export function TopBar({ onPalette, onHelp }: Props) {
  const { projectId } = useConnection()
  return (
    <>
      <Popover
        label="Switch project"
        className="w-80"
        focusOn={(panel) => panel.querySelector('input')}
        renderTrigger={(trigger) => (
          <Button
            {...trigger}
            variant="quiet"
            aria-label={`Project ${projectId}. Switch project`}
            className="min-w-0 shrink text-text! font-semibold"
          >
            <span className="truncate">{projectId}</span>
            <Icon name="chevron-down" />
          </Button>
        )}
      >
        {(close) => (
          <Suspense fallback={<div className="h-40" />}>
            <ProjectPicker onDone={close} />
          </Suspense>
        )}
      </Popover>
      <ServerState />
      <div className="ml-auto flex shrink-0 items-center gap-0.5">
        <Button variant="quiet" onClick={onPalette} aria-label="Command palette" aria-keyshortcuts="Control+K Meta+K">
          <Icon name="search" />
          <span className="max-md:hidden">Go to…</span>
          <span className="max-md:hidden">
            <Kbd keys="mod+K" />
          </span>
        </Button>
        <PreferenceMenus onHelp={onHelp} />
        <span className="max-sm:hidden">
          <IconButton icon="help" label="Keyboard help" aria-keyshortcuts="?" onClick={onHelp} />
        </span>
      </div>
    </>
  )
}

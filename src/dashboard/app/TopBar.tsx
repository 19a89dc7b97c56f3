import { memo, Suspense, useEffect } from 'react'
import { useConnection } from '../client/connection-context'
import { lazyPart } from '../client/lazy-part'
import { ForeignText } from '../format/ForeignText'
import { formatVisibleText } from '../format/visible-text'
import { Button } from '../ui/Button'
import { markFirstContent, useIsFirstContentShown } from '../ui/first-content'
import { Icon } from '../ui/Icon'
import { Popover } from '../ui/Popover'
import { useShellKeys } from './use-shell-keys'

const ProjectPicker = lazyPart(async () => (await import('./ProjectPicker')).ProjectPicker)
const ShellTools = lazyPart(async () => (await import('./ShellTools')).ShellTools)

/** As wide as the tools, so that a long project name does not move when they appear. */
const toolsPlaceholder = <div className="w-26 shrink-0 sm:w-60 md:w-100" />

// The tools appear after this time even if the server is slow or the page crashes.
const maxWaitMs = 1500

type Props = { onPalette: () => void; onHelp: () => void }

/** The current project, its server, and the preferences; and the keys of the whole window. */
export const TopBar = memo(function TopBar({ onPalette, onHelp }: Props) {
  const { projectId } = useConnection()
  const isFirstContentShown = useIsFirstContentShown()
  useShellKeys({ onPalette, onHelp })
  // The timer is outside React.
  useEffect(() => {
    const timer = setTimeout(markFirstContent, maxWaitMs)
    return () => clearTimeout(timer)
  }, [])
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
            aria-label={`Project ${formatVisibleText(projectId)}. Switch project`}
            className="min-w-0 shrink-9! text-text! font-semibold"
          >
            <span className="truncate">
              <ForeignText text={projectId} isOneLine />
            </span>
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
      <Suspense fallback={toolsPlaceholder}>
        {isFirstContentShown ? <ShellTools onPalette={onPalette} onHelp={onHelp} /> : toolsPlaceholder}
      </Suspense>
    </>
  )
})

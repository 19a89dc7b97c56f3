import { useEffect } from 'react'
import { preloadParts } from '../client/lazy-part'
import { Button } from '../ui/Button'
import { Icon } from '../ui/Icon'
import { IconButton } from '../ui/IconButton'
import { Kbd } from '../ui/Kbd'
import { moreIcons } from '../ui/more-icons'
import { PreferenceMenus } from './PreferenceMenus'
import { ServerState } from './ServerState'
import { usePasswordHandover } from './use-password-handover'

// The first rows, and what a person does with them at once, come first.
const preloadDelayMs = 500

/** The part of the top bar that loads after the first rows. */
export function ShellTools({ onPalette, onHelp }: { onPalette: () => void; onHelp: () => void }) {
  usePasswordHandover()
  // Loading files is outside React. A page that is opened while the server is away must not depend on one.
  useEffect(() => {
    const timer = setTimeout(() => void preloadParts(), preloadDelayMs)
    return () => clearTimeout(timer)
  }, [])
  return (
    <>
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
          <IconButton icon={moreIcons.help} label="Keyboard help" aria-keyshortcuts="?" onClick={onHelp} />
        </span>
      </div>
    </>
  )
}

import { type ReactNode, Suspense, useCallback, useRef, useState } from 'react'
import { useLocation } from 'wouter'
import { lazyPart } from '../client/lazy-part'
import { PendingDialog } from './PendingDialog'
import { Rail } from './Rail'
import { TopBar } from './TopBar'

const CommandPalette = lazyPart(async () => (await import('./CommandPalette')).CommandPalette)
const KeyboardHelp = lazyPart(async () => (await import('./KeyboardHelp')).KeyboardHelp)

type Props = {
  isSignedIn: boolean
  /** Only the page, for people who are not signed in: there is nothing to go to yet. */
  isDoor?: boolean
  children: ReactNode
}

/** The frame around every page. Without a connection it has no tools and no command palette. */
export function Shell({ isSignedIn, isDoor = false, children }: Props) {
  const main = useRef<HTMLElement>(null)
  const [path] = useLocation()
  const [opened, setOpened] = useState<{ dialog: 'palette' | 'help'; path: string; typed: string }>()
  const onPalette = useCallback(() => setOpened({ dialog: 'palette', path, typed: '' }), [path])
  const onHelp = useCallback(() => setOpened({ dialog: 'help', path, typed: '' }), [path])
  const onType = useCallback(
    (change: (text: string) => string) => setOpened((before) => before && { ...before, typed: change(before.typed) }),
    [],
  )
  const onClose = useCallback(() => setOpened(undefined), [])
  // The way back leads to another page, and closes it for good.
  if (opened && opened.path !== path) setOpened(undefined)
  const dialog = opened?.path === path ? opened.dialog : undefined

  return (
    <div className={isDoor ? 'shell shell-door' : 'shell'}>
      <a
        href="#main"
        className="shell-skip"
        onClick={(event) => {
          // Only the focus moves: the address is the view's state.
          event.preventDefault()
          main.current?.focus()
        }}
      >
        Skip to the page
      </a>
      <Rail />
      <header className="shell-top">{isSignedIn && <TopBar onPalette={onPalette} onHelp={onHelp} />}</header>
      <main ref={main} id="main" tabIndex={-1} data-keeps-focus="h1" className="shell-main">
        {children}
      </main>
      <Suspense fallback={<PendingDialog onType={onType} onClose={onClose} />}>
        {dialog === 'palette' && isSignedIn && (
          <CommandPalette initialText={opened?.typed ?? ''} onClose={onClose} onHelp={onHelp} />
        )}
        {dialog === 'help' && <KeyboardHelp onClose={onClose} />}
      </Suspense>
    </div>
  )
}

import { type ReactNode, Suspense, useCallback, useRef, useState } from 'react'
import { lazyPart } from '../client/lazy-part'
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
  const [opened, setOpened] = useState<'palette' | 'help'>()
  const onPalette = useCallback(() => setOpened('palette'), [])
  const onHelp = useCallback(() => setOpened('help'), [])
  const onClose = useCallback(() => setOpened(undefined), [])

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
      <main ref={main} id="main" tabIndex={-1} className="shell-main">
        {children}
      </main>
      <Suspense>
        {opened === 'palette' && isSignedIn && <CommandPalette onClose={onClose} onHelp={onHelp} />}
        {opened === 'help' && <KeyboardHelp onClose={onClose} />}
      </Suspense>
    </div>
  )
}

import { useEffect, useState } from 'react'
import { useLocation } from 'wouter'
import { askOtherTabs } from '../client/password-handover'
import { Banner } from '../ui/Banner'
import { Button } from '../ui/Button'
import { Icon, type IconName } from '../ui/Icon'
import { SpoolLogo } from '../ui/SpoolLogo'
import { hasOwnSession } from './connection-store'
import { useConnectionState, useConnectionStore } from './connection-store-context'
import { ForeignText } from '../format/ForeignText'
import { newConnection } from './new-connection'
import { SignInForm } from './SignInForm'

/** Replaces every page until the person signs in. The address stays, so that the page appears after the sign-in. */
export function SignInPage() {
  const { signInTarget } = useConnectionState()
  const server = signInTarget?.baseUrl ? signInTarget.baseUrl : undefined
  return (
    <div className="grid min-h-full grid-rows-[auto_1fr] lg:grid-cols-[minmax(0,9fr)_minmax(0,11fr)] lg:grid-rows-1">
      <About />
      <div className="mx-auto flex w-full max-w-96 flex-col gap-3 px-4 pt-3 pb-6 sm:justify-center sm:gap-4 sm:py-12">
        <SignIn server={server} />
      </div>
    </div>
  )
}

/** What Spool is, for somebody who got an address and nothing else. */
function About() {
  return (
    <section
      aria-label="About Spool"
      className="flex flex-col gap-3 border-line bg-canvas px-4 py-3 max-lg:border-b sm:px-8 sm:py-6 lg:justify-center lg:gap-6 lg:border-r lg:px-12 lg:py-12 xl:px-20"
    >
      <p className="flex items-center gap-2 text-lg font-semibold">
        <SpoolLogo size={28} />
        Spool
      </p>
      <p className="max-w-100 max-sm:hidden lg:text-lg">See what your LLM application costs, and how its conversations go.</p>
      <ul className="flex max-w-100 flex-col gap-4 max-lg:hidden">
        {offers.map(({ icon, title, text }) => (
          <li key={title} className="grid grid-cols-[20px_1fr] gap-x-3">
            <Icon name={icon} className="mt-0.5 text-accent" />
            <strong className="font-semibold">{title}</strong>
            <span className="col-start-2 text-quiet">{text}</span>
          </li>
        ))}
      </ul>
    </section>
  )
}

const offers: readonly { icon: IconName; title: string; text: string }[] = [
  { icon: 'costs', title: 'Costs', text: 'What your calls cost, by model and day, and what they would cost on another model.' },
  { icon: 'threads', title: 'Threads', text: 'Which conversations are slow: turn counts, p50 and p99 of their turns.' },
  { icon: 'queues', title: 'Queues', text: 'Annotation queues for your reviewers, made from scorer references.' },
]

function SignIn({ server }: { server: string | undefined }) {
  const store = useConnectionStore()
  const { signInTarget, connections, linkedProjectId, note, isRedeeming, sessionUsername } = useConnectionState()
  const [path, navigate] = useLocation()
  const others = connections.filter(({ id }) => id !== signInTarget?.id)
  const signedIn = connections.find((each) => hasOwnSession(each) && each.username === sessionUsername)
  const isAsking = useOtherTabs(server ? signInTarget?.id : undefined)
  if (isAsking) return null
  return (
    <>
      <header className="flex flex-col gap-1">
        <h1 tabIndex={-1} className="text-lg font-semibold outline-none">
          {isRedeeming ? 'Signing in…' : 'Sign in'}
        </h1>
        <p className="break-words text-quiet">{server ? `to ${server}` : <Origin />}</p>
      </header>
      {note && (
        <Banner tone={note.tone} title={note.title}>
          {note.text}
        </Banner>
      )}
      {/* That session is of this page's own server, not of another. */}
      {signedIn && !server && (
        <Banner
          tone="info"
          title={
            <>
              <ForeignText text={signedIn.username} /> is signed in in this browser
            </>
          }
          actions={
            <Button onClick={() => store.select(signedIn.id)} className="max-w-full">
              <span className="truncate">
                Continue as <ForeignText text={signedIn.username} />
              </span>
            </Button>
          }
        >
          Signing in as another user here ends that session.
        </Banner>
      )}
      {!isRedeeming && (
        <SignInForm
          key={signInTarget?.id}
          saved={signInTarget ?? { ...firstConnection, projectId: linkedProjectId ?? firstConnection.projectId }}
          onSignedIn={() => {
            if (path === '/' || path === '/connection') navigate('/costs', { replace: true })
          }}
        />
      )}
      <ul aria-label="Other servers" className="flex flex-col gap-1 border-t border-line pt-3 text-quiet">
        {others.map(({ id, name, baseUrl, username }) => (
          <li key={id}>
            <button
              type="button"
              onClick={() => store.select(id)}
              className="max-w-full cursor-pointer text-left break-words hover:text-text hover:underline"
            >
              Use {name}{' '}
              <span className="text-faint">
                (<ForeignText text={baseUrl || username} />)
              </span>
            </button>
          </li>
        ))}
        <li>
          <button
            type="button"
            onClick={() => navigate('/connection?edit=new')}
            className="cursor-pointer hover:text-text hover:underline"
          >
            Another server…
          </button>
        </li>
      </ul>
    </>
  )
}

/** Signs in to a server whose password another tab of this browser has. Returns whether that is still open. */
function useOtherTabs(connectionId: string | undefined): boolean {
  const store = useConnectionStore()
  const [answeredId, setAnsweredId] = useState<string>()
  // Other tabs are outside React.
  useEffect(() => {
    if (connectionId === undefined) return
    let isGone = false
    const ask = async () => {
      const password = await askOtherTabs(connectionId)
      if (isGone) return
      const saved = store.getState().connections.find(({ id }) => id === connectionId)
      if (saved && password !== undefined) store.save(saved, password, false)
      else setAnsweredId(connectionId)
    }
    void ask()
    return () => {
      isGone = true
    }
  }, [connectionId, store])
  return connectionId !== undefined && answeredId !== connectionId
}

/** Where the link and the password come from. */
function Origin() {
  return (
    <>
      The terminal where Spool was started shows a{' '}
      <strong className="font-semibold whitespace-nowrap text-text">sign-in link</strong>: open it and you are in. Otherwise ask
      your administrator for a username and password.
    </>
  )
}

// One for the life of the page: its id must not change between two attempts.
const firstConnection = newConnection()

import { useLocation } from 'wouter'
import { Banner } from '../ui/Banner'
import { Button } from '../ui/Button'
import { SpoolLogo } from '../ui/SpoolLogo'
import { hasOwnSession } from './connection-store'
import { useConnectionState, useConnectionStore } from './connection-store-context'
import { newConnection } from './new-connection'
import { SignInForm } from './SignInForm'

/** Replaces every page until the person signs in. The address stays, so that the page appears after the sign-in. */
export function SignInPage() {
  const store = useConnectionStore()
  const { signInTarget, connections, linkedProjectId, note, isRedeeming, sessionUsername } = useConnectionState()
  const [path, navigate] = useLocation()
  const others = connections.filter(({ id }) => id !== signInTarget?.id)
  const signedIn = connections.find((each) => hasOwnSession(each) && each.username === sessionUsername)
  const server = signInTarget?.baseUrl ? signInTarget.baseUrl : undefined

  return (
    // On a small phone everything up to the button fits above the bar of pages.
    <div className="mx-auto flex max-w-88 flex-col gap-3 px-4 py-3 sm:gap-4 sm:py-16">
      <header className="flex flex-col gap-1 sm:gap-3">
        <div className="flex items-center gap-2 sm:flex-col sm:items-start sm:gap-3">
          <SpoolLogo size={32} />
          <h1 tabIndex={-1} className="text-lg font-semibold outline-none">
            {isRedeeming ? 'Signing in…' : 'Sign in'}
          </h1>
        </div>
        <p className="break-words text-quiet">
          {server
            ? `to ${server}`
            : 'Costs, conversations and review queues of LLM applications. Sign in with the link or the password that the service printed when it started, or ask its administrator.'}
        </p>
      </header>
      {note && (
        <Banner tone={note.tone} title={note.title}>
          {note.text}
        </Banner>
      )}
      {signedIn && (
        <Banner
          tone="info"
          title={`${signedIn.username} is signed in in this browser`}
          actions={<Button onClick={() => store.select(signedIn.id)}>Continue as {signedIn.username}</Button>}
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
            <button type="button" onClick={() => store.select(id)} className="cursor-pointer hover:text-text hover:underline">
              Use {name} <span className="text-faint">({baseUrl || username})</span>
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
    </div>
  )
}

// One for the life of the page: its id must not change between two attempts.
const firstConnection = newConnection()

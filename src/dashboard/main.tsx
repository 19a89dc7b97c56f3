import { startTransition, StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { navigate } from 'wouter/use-browser-location'
import { App } from './app/App'
import { takeLinkedProjectId, takeSignInCode } from './app/links'
import { createPreferencesStore } from './app/preferences-store'
import { loadFirstPage } from './app/Routes'
import { createConnectionStore } from './connection/connection-store'

const connectionStore = createConnectionStore()
const preferencesStore = createPreferencesStore()

const linkedProjectId = takeLinkedProjectId()
if (linkedProjectId) connectionStore.openProject(linkedProjectId)

/** Before anything is rendered, and here rather than in React: a code works once, an effect may run twice. */
async function followSignInLink() {
  const code = takeSignInCode()
  if (!code) return
  connectionStore.setRedeeming(true)
  const { signInByCode } = await import('./connection/sign-in-by-code')
  if (await signInByCode(code, connectionStore)) navigate('/costs', { replace: true })
}
void followSignInLink()
// A link opened in a tab that is here already changes only the fragment.
addEventListener('hashchange', () => void followSignInLink())
addEventListener('storage', ({ key }) => {
  if (key === 'spool.preferences') preferencesStore.refresh()
  if (key === 'spool.connections') connectionStore.refresh()
})

async function draw() {
  const root = document.getElementById('root')
  if (!root) throw new Error('index.html has no #root')
  if (connectionStore.getState().current) await loadFirstPage(location.pathname)
  // In slices: the frame in index.html stays on screen meanwhile, and a slow device is not held up by one long task.
  startTransition(() =>
    createRoot(root).render(
      <StrictMode>
        <App connectionStore={connectionStore} preferencesStore={preferencesStore} />
      </StrictMode>,
    ),
  )
}
// Awaited by nobody: lazy parts import this very file, and would wait for one that waits for them.
void draw()

import { startTransition, StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { navigate } from 'wouter/use-browser-location'
import { App } from './app/App'
import { keepProjectInAddress, takeSignInCode } from './app/links'
import { createPreferencesStore } from './app/preferences-store'
import { preloadPage } from './app/Routes'
import { loadPart } from './client/lazy-part'
import { watchForRetry } from './client/retry-schedule'
import { createConnectionStore } from './connection/connection-store'
import { hideCompositionKeys } from './ui/composition-keys'
import { watchAnswers } from './ui/late-answers'
import { keepFocus } from './ui/lost-focus'

const connectionStore = createConnectionStore()
const preferencesStore = createPreferencesStore()

keepProjectInAddress(connectionStore)

/** Runs before the first render and not in an effect: a code works once, and an effect may run twice. */
async function redeemSignInLink() {
  const code = takeSignInCode()
  if (!code) return
  connectionStore.setRedeeming(true)
  const { signInByCode } = await loadPart(() => import('./connection/sign-in-by-code'))
  if (await signInByCode(code, connectionStore)) navigate('/costs', { replace: true })
}
void redeemSignInLink()
// A link opened in a tab that already shows the dashboard changes only the fragment.
addEventListener('hashchange', () => void redeemSignInLink())
addEventListener('storage', ({ key }) => {
  if (key === 'spool.preferences') preferencesStore.refresh()
  if (key === 'spool.connections' || key === 'spool.session') connectionStore.refresh()
})

hideCompositionKeys()
watchForRetry()
watchAnswers()
keepFocus()

async function renderApp() {
  const root = document.getElementById('root')
  if (!root) throw new Error('index.html has no #root')
  if (connectionStore.getState().current) await preloadPage(location.pathname)
  // A transition renders in slices: the frame of index.html stays on screen, and no long task blocks a slow device.
  startTransition(() =>
    createRoot(root).render(
      <StrictMode>
        <App connectionStore={connectionStore} preferencesStore={preferencesStore} />
      </StrictMode>,
    ),
  )
}
// No top-level await: the lazy chunks import this file and would wait for it while it waits for them.
void renderApp()

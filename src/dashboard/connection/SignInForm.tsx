import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { UnauthorizedError } from '../client/api-error'
import { Banner } from '../ui/Banner'
import { Button } from '../ui/Button'
import { Checkbox } from '../ui/Checkbox'
import { Field } from '../ui/Field'
import { TextInput } from '../ui/TextInput'
import { validateProjectId } from './validate-connection'
import { hasOwnSession, type SavedConnection } from './connection-store'
import { useConnectionState, useConnectionStore } from './connection-store-context'
import { defaultConnectionName } from './new-connection'
import { checkSignIn } from './check-sign-in'
import { describeSignInError } from './describe-sign-in-error'
import { startSession } from './start-session'

type Props = { saved: SavedConnection; onSignedIn: () => void }

/** Asks for the username, the password and the project. Everything else has a default. */
export function SignInForm({ saved, onSignedIn }: Props) {
  const store = useConnectionStore()
  const { linkedProjectId } = useConnectionState()
  const [username, setUsername] = useState(saved.username)
  const [password, setPassword] = useState('')
  const [projectId, setProjectId] = useState(saved.projectId)
  const [isRemembered, setIsRemembered] = useState(saved.isRemembered)
  const [isSubmitted, setIsSubmitted] = useState(false)

  const signIn = useMutation({
    mutationFn: async () => {
      const isOwn = saved.baseUrl === ''
      const session = isOwn ? await startSession({ username, password, isRemembered }) : undefined
      const account = session ? { username: session.username, password: '' } : { username, password }
      // Signing in again keeps the project, and a link opens its own.
      const isProjectChosen =
        projectId !== saved.projectId || account.username === saved.username || projectId === linkedProjectId
      const foundProjectId = await checkSignIn({ ...saved, ...account, projectId }, isProjectChosen).catch((error: unknown) => {
        throw session && error instanceof UnauthorizedError ? new Error(noCookieMessage) : error
      })
      const name = saved.name === '' ? defaultConnectionName(saved.baseUrl) : saved.name
      const found = { ...saved, name, username: account.username, projectId: foundProjectId, isRemembered }
      return { found: isOwn ? { ...found, hasSession: session !== undefined } : found }
    },
    onSuccess: ({ found }: { found: SavedConnection }) => {
      if (hasOwnSession(found)) store.startSession(found)
      else store.save(found, password, true)
      onSignedIn()
    },
  })

  const problem = signIn.error && describeSignInError(signIn.error)
  const problems = {
    username: isSubmitted && username.trim() === '' ? 'Enter your username.' : undefined,
    password: isSubmitted && password === '' ? 'Enter your password.' : undefined,
    project: isSubmitted || projectId !== saved.projectId ? validateProjectId(projectId) : undefined,
  }
  const onSubmit = (event: FormEvent) => {
    event.preventDefault()
    setIsSubmitted(true)
    if (signIn.isPending) return
    if (username.trim() !== '' && password !== '' && !validateProjectId(projectId)) signIn.mutate()
    // What was wrong with the attempt before says nothing about what is typed now.
    else signIn.reset()
  }

  return (
    <form noValidate aria-label="Sign in" onSubmit={onSubmit} className="flex flex-col gap-2 sm:gap-4">
      {problem && !Object.values(problems).some(Boolean) && (
        <Banner tone="bad" title={problem.title}>
          {problem.text}
        </Banner>
      )}
      <Field label="Username" error={problems.username}>
        {(control) => (
          <TextInput
            {...control}
            name="username"
            autoComplete="username"
            // oxlint-disable-next-line jsx-a11y/no-autofocus -- the page is this form
            autoFocus={saved.username === ''}
            autoCapitalize="none"
            value={username}
            onChange={(event) => setUsername(event.target.value)}
          />
        )}
      </Field>
      <Field label="Password" error={problems.password}>
        {(control) => (
          <TextInput
            {...control}
            name="password"
            type="password"
            autoComplete="current-password"
            // oxlint-disable-next-line jsx-a11y/no-autofocus -- the page is this form
            autoFocus={saved.username !== ''}
            value={password}
            onChange={(event) => setPassword(event.target.value)}
          />
        )}
      </Field>
      <Field label="Project" hint="entity/project; you can switch at any time." error={problems.project}>
        {(control) => (
          <TextInput
            {...control}
            name="project"
            value={projectId}
            onChange={(event) => setProjectId(event.target.value.trim())}
          />
        )}
      </Field>
      <Checkbox
        {...(hasOwnSession(saved) ? sessionChoice : passwordChoice)}
        checked={isRemembered}
        onChange={(event) => setIsRemembered(event.target.checked)}
      />
      <Button type="submit" variant="primary" isBusy={signIn.isPending} className="h-8">
        Sign in
      </Button>
    </form>
  )
}

const sessionChoice = {
  label: 'Keep me signed in on this device for 30 days',
  hint: 'Otherwise until the browser closes, or after 12 hours without use.',
}
const passwordChoice = {
  label: 'Remember the password on this device',
  hint: 'Otherwise it is forgotten with this tab.',
}

const noCookieMessage = 'The password is right, but the browser did not send the session cookie. Allow cookies for this address.'

import { type FormEvent, useRef, useState } from 'react'
import type { Connection } from '../client/connection'
import { Button } from '../ui/Button'
import { Checkbox } from '../ui/Checkbox'
import { Field } from '../ui/Field'
import { TextInput } from '../ui/TextInput'
import { validateBaseUrl, validateProjectId } from './validate-connection'
import { hasOwnSession, type SavedConnection } from './connection-store'
import { ConnectionTest } from './ConnectionTest'
import { defaultConnectionName } from './new-connection'

type Props = {
  saved: SavedConnection
  /** The stored password, '' for a session, or undefined if the person has to type it. */
  knownPassword: string | undefined
  /** Who is signed in to the server that this page came from. */
  sessionUsername: string | undefined
  submitLabel: string
  onSave: (saved: SavedConnection, password: string) => void
  onCancel?: (() => void) | undefined
}

/** Adds or changes a connection. The test checks the typed values before they are saved. */
export function ConnectionForm({ saved, knownPassword, sessionUsername, submitLabel, onSave, onCancel }: Props) {
  const [draft, setDraft] = useState(saved)
  const [typedPassword, setTypedPassword] = useState('')
  const [isSubmitted, setIsSubmitted] = useState(false)
  const form = useRef<HTMLFormElement>(null)

  const baseUrl = toBaseUrl(draft.baseUrl)
  const isOwn = hasOwnSession({ ...draft, baseUrl })
  // Another address or username is another account: the stored password does not belong to it.
  const isKnown = knownPassword !== undefined && draft.baseUrl === saved.baseUrl && draft.username === saved.username
  const password = isOwn ? '' : typedPassword === '' && isKnown ? knownPassword : typedPassword
  const change = (part: Partial<SavedConnection>) => setDraft((before) => ({ ...before, ...part }))
  const problems = {
    baseUrl: validateBaseUrl(baseUrl, password !== ''),
    project: validateProjectId(draft.projectId),
  }
  const isGood = !problems.baseUrl && !problems.project
  const account = { ...draft, baseUrl, username: isOwn ? (sessionUsername ?? draft.username) : draft.username }
  const connection: Connection = { ...account, password }

  const onSubmit = (event: FormEvent) => {
    event.preventDefault()
    setIsSubmitted(true)
    if (isGood) onSave({ ...account, name: draft.name.trim() || defaultConnectionName(baseUrl) }, password)
    else form.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus()
  }

  return (
    <form ref={form} noValidate aria-label="Connection" onSubmit={onSubmit} className="flex flex-col gap-4">
      <Field label="Server address" hint="Leave it empty for the server this page came from." error={problems.baseUrl}>
        {(control) => (
          <TextInput
            {...control}
            type="url"
            inputMode="url"
            placeholder={location.origin}
            value={draft.baseUrl}
            onChange={(event) => change({ baseUrl: event.target.value.trim() })}
          />
        )}
      </Field>
      <Field
        label="Project"
        hint="entity/project"
        error={isSubmitted || draft.projectId !== saved.projectId ? problems.project : undefined}
      >
        {(control) => (
          <TextInput
            {...control}
            value={draft.projectId}
            onChange={(event) => change({ projectId: event.target.value.trim() })}
          />
        )}
      </Field>
      {isOwn && !sessionUsername && <p className="text-quiet">You sign in to this server after saving.</p>}
      {!isOwn && (
        <div className="grid gap-4 sm:grid-cols-2">
          <Field label="Username">
            {(control) => (
              <TextInput
                {...control}
                autoComplete="username"
                autoCapitalize="none"
                value={draft.username}
                onChange={(event) => change({ username: event.target.value })}
              />
            )}
          </Field>
          <Field label="Password">
            {(control) => (
              <TextInput
                {...control}
                type="password"
                autoComplete="current-password"
                placeholder={isKnown ? 'unchanged' : ''}
                value={typedPassword}
                onChange={(event) => setTypedPassword(event.target.value)}
              />
            )}
          </Field>
        </div>
      )}
      <Field label="Name" isOptional hint="Shown only on this device.">
        {(control) => (
          <TextInput
            {...control}
            placeholder={defaultConnectionName(draft.baseUrl)}
            value={draft.name}
            onChange={(event) => change({ name: event.target.value })}
          />
        )}
      </Field>
      {!isOwn && (
        <Checkbox
          label="Remember the password on this device"
          hint="Otherwise it is forgotten with this tab."
          checked={draft.isRemembered}
          onChange={(event) => change({ isRemembered: event.target.checked })}
        />
      )}
      <div className="flex flex-wrap gap-2">
        <Button type="submit" variant="primary">
          {submitLabel}
        </Button>
        {onCancel && <Button onClick={onCancel}>Cancel</Button>}
      </div>
      <ConnectionTest connection={connection} isReady={isGood} />
    </form>
  )
}

/** The address of this page counts as left out: there a session takes the place of the password. */
function toBaseUrl(text: string): string {
  const baseUrl = text.replace(/\/+$/, '')
  return URL.parse(baseUrl)?.href === `${location.origin}/` ? '' : baseUrl
}

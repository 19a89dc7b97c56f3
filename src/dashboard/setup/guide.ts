import type { Connection } from '../client/connection'

/** Where the snippets send to: the address without a slash at its end. */
export type Destination = { baseUrl: string; projectId: string }

/** A client elsewhere needs the whole address, also where the dashboard itself gets by without one. */
export function toDestination({ baseUrl, projectId }: Connection, pageOrigin: string): Destination {
  return { baseUrl: (baseUrl || pageOrigin).replace(/\/+$/, ''), projectId }
}

/** What to do, in order; each step has one block to copy. Texts mark code with backticks. */
export type Guide = {
  steps: readonly GuideStep[]
  /** What becomes a thread and what a turn with this client. */
  threads: string
}

export type GuideStep = {
  title: string
  /** Names the block: a file, or "Shell". */
  label: string
  code: string
  note?: string
  /** Its line breaks and margins mean something, so it scrolls where it does not fit. */
  isProgram?: boolean
  /** Where what is copied differs from what is shown. */
  codeToCopy?: () => string
}

/** The password is typed where no screen, history or snippet keeps it. */
export const passwordStep: GuideStep = {
  title: 'Type your password into the shell',
  label: 'Shell: password',
  code: 'read -rs SPOOL_KEY && export SPOOL_KEY',
  note: 'The one you sign in with. The administrator’s is in `users.json` in the service’s data folder (`.spool`); an administrator gives others theirs.',
}

export function nodeStep(code: string): GuideStep {
  return { title: 'Save this as `first-call.mjs` and run `node first-call.mjs`', label: 'first-call.mjs', code, isProgram: true }
}

export function pythonStep(code: string): GuideStep {
  return { title: 'Save this as `first_call.py` and run `python first_call.py`', label: 'first_call.py', code, isProgram: true }
}

export const languages = ['typescript', 'python'] as const
export type Language = (typeof languages)[number]

import type { Connection } from '../client/connection'

/** The target of the snippets. `baseUrl` has no trailing slash. */
export type Destination = { baseUrl: string; projectId: string }

/** A client needs the full address, even where the dashboard uses '' for its own server. */
export function toDestination({ baseUrl, projectId }: Connection, pageOrigin: string): Destination {
  return { baseUrl: (baseUrl || pageOrigin).replace(/\/+$/, ''), projectId }
}

/** Instructions in order; each step has one block to copy. Backticks in texts mark code. */
export type Guide = {
  steps: readonly GuideStep[]
  /** How calls of this client become threads and turns. */
  threads: string
}

export type GuideStep = {
  title: string
  /** The name of the block: a file, or "Shell". */
  label: string
  code: string
  note?: string
  /** Line breaks and indentation matter, so the block scrolls instead of wrapping. */
  isProgram?: boolean
  /** For blocks whose copied text differs from the shown text. */
  codeToCopy?: () => string
}

/** `read -s` keeps the password out of the screen, the shell history and the snippets. */
export const passwordStep: GuideStep = {
  title: 'Type your password into the shell',
  label: 'Shell: password',
  code: 'read -rs SPOOL_KEY && export SPOOL_KEY',
  note: 'The one that you sign in with. Whoever signs in with a link finds it in `users.json` in the service’s data folder, or asks an administrator.',
}

/** For programs that call a model. Without the key they fail before they send anything. */
export const openAiKeyNote = 'It calls OpenAI once, with your key in the variable `OPENAI_API_KEY`.'

export function nodeStep(code: string): GuideStep {
  return { title: 'Save this as `first-call.mjs` and run `node first-call.mjs`', label: 'first-call.mjs', code, isProgram: true }
}

export function pythonStep(code: string): GuideStep {
  return { title: 'Save this as `first_call.py` and run `python first_call.py`', label: 'first_call.py', code, isProgram: true }
}

export const languages = ['typescript', 'python'] as const
export type Language = (typeof languages)[number]

import { parseScorerRef, type ScorerRefParts } from '../../contract/scorer-ref'
import { formatVisibleText } from '../format/visible-text'
import type { Tone } from '../ui/tone'
import type { FormScorerRef } from './queue-form'

/** A reference with its check result. `malformed` and `rejected` references have to be corrected or removed. */
export type ScorerRefState = {
  text: string
  parts: ScorerRefParts | undefined
  state: 'ok' | 'duplicate' | 'other project' | 'malformed' | 'rejected'
  reason: string | undefined
}

export const stateTones: Record<ScorerRefState['state'], Exclude<Tone, 'neutral'>> = {
  ok: 'good',
  duplicate: 'warn',
  'other project': 'warn',
  malformed: 'bad',
  rejected: 'bad',
}

export function toScorerRefStates(refs: readonly FormScorerRef[], projectId: string): ScorerRefState[] {
  const seen = new Set<string>()
  return refs.map(({ text, serverError }) => {
    const isRepeated = seen.has(text)
    seen.add(text)
    const parts = parseScorerRef(text)
    if (typeof parts === 'string') return { text, parts: undefined, state: 'malformed', reason: withoutExpectedForm(parts) }
    if (serverError !== undefined) return { text, parts, state: 'rejected', reason: serverError }
    if (isRepeated) return { text, parts, state: 'duplicate', reason: 'The same reference is already in the list.' }
    if (`${parts.entity}/${parts.project}` !== projectId) {
      return { text, parts, state: 'other project', reason: `Not from ${formatVisibleText(projectId)}; it is sent anyway.` }
    }
    return { text, parts, state: 'ok', reason: undefined }
  })
}

export function isBad({ state }: ScorerRefState): boolean {
  return state === 'malformed' || state === 'rejected'
}

/** "47 ok, 2 of another project, 3 malformed". */
export function formatStateCounts(states: readonly ScorerRefState[]): string {
  const count = (wanted: ScorerRefState['state']) => states.filter(({ state }) => state === wanted).length
  const counts: [number, string][] = [
    [count('ok'), 'ok'],
    [count('duplicate'), count('duplicate') === 1 ? 'duplicate' : 'duplicates'],
    [count('other project'), 'of another project'],
    [count('malformed'), 'malformed'],
    [count('rejected'), 'rejected by the server'],
  ]
  return counts.flatMap(([number, label]) => (number > 0 ? [`${number} ${label}`] : [])).join(', ')
}

/** The contract adds the expected form to each reason; the page shows it once for the whole list. */
function withoutExpectedForm(reason: string): string {
  return reason.slice(0, Math.max(0, reason.indexOf(' Expected '))) || reason
}

/** A scorer's name as people write it. Text that is not valid percent-encoding stays unchanged. */
export function decodeScorerName(name: string): string {
  try {
    return decodeURIComponent(name)
  } catch {
    return name
  }
}

import { parseScorerRef, type ScorerRefParts } from '../../contract/scorer-ref'
import type { Tone } from '../ui/tone'

/** How one reference of a list stands. Only `malformed` and `refused` keep the queue from being made. */
export type ChipState = {
  text: string
  parts: ScorerRefParts | undefined
  state: 'ok' | 'duplicate' | 'other project' | 'malformed' | 'refused'
  reason: string | undefined
}

export const chipTones: Record<ChipState['state'], Exclude<Tone, 'neutral'>> = {
  ok: 'good',
  duplicate: 'warn',
  'other project': 'warn',
  malformed: 'bad',
  refused: 'bad',
}

/** Judges each reference in its list. `refusals` are the server's words, by the text they were about. */
export function chipStates(refs: readonly string[], projectId: string, refusals: ReadonlyMap<string, string>): ChipState[] {
  const seen = new Set<string>()
  return refs.map((text) => {
    const isRepeated = seen.has(text)
    seen.add(text)
    const parts = parseScorerRef(text)
    if (typeof parts === 'string') return { text, parts: undefined, state: 'malformed', reason: withoutForm(parts) }
    const refusal = refusals.get(text)
    if (refusal !== undefined) return { text, parts, state: 'refused', reason: refusal }
    if (isRepeated) return { text, parts, state: 'duplicate', reason: 'The same reference stands further up.' }
    if (`${parts.entity}/${parts.project}` !== projectId) {
      return { text, parts, state: 'other project', reason: `Not of ${projectId}; it is sent all the same.` }
    }
    return { text, parts, state: 'ok', reason: undefined }
  })
}

export function isBad({ state }: ChipState): boolean {
  return state === 'malformed' || state === 'refused'
}

/** "47 ok, 2 of other projects, 3 malformed". */
export function summaryOf(chips: readonly ChipState[]): string {
  const count = (...states: ChipState['state'][]) => chips.filter(({ state }) => states.includes(state)).length
  const words: [number, string][] = [
    [count('ok'), 'ok'],
    [count('duplicate'), count('duplicate') === 1 ? 'duplicate' : 'duplicates'],
    [count('other project'), 'of another project'],
    [count('malformed'), 'malformed'],
    [count('refused'), 'refused by the server'],
  ]
  return words.flatMap(([number, word]) => (number > 0 ? [`${number} ${word}`] : [])).join(', ')
}

/** What is wrong alone: the expected form, which the contract adds to each, is shown once for all chips. */
function withoutForm(reason: string): string {
  return reason.slice(0, Math.max(0, reason.indexOf(' Expected '))) || reason
}

/** A scorer's name as people write it; what is not percent-encoding stays as it is. */
export function decodedName(name: string): string {
  try {
    return decodeURIComponent(name)
  } catch {
    return name
  }
}

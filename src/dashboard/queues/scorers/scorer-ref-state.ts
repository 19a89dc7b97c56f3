import { annotationSpecClass } from '../../../contract/annotation-spec'
import type { ReceivedObject } from '../../../contract/received-objects'
import { parseScorerRef, type ScorerRefParts } from '../../../contract/scorer-ref'
import { findVersion } from '../../client/object-versions'
import { formatVisibleText } from '../../format/visible-text'
import type { Tone } from '../../ui/tone'

/** One entry of the list. `serverError` says why the server rejected exactly this text; an edit replaces the entry. */
export type FormScorerRef = { text: string; serverError?: string | undefined }

/** A reference with its check result. `malformed` and `rejected` references have to be corrected or removed. */
export type ScorerRefState = {
  text: string
  parts: ScorerRefParts | undefined
  state: 'ok' | 'duplicate' | 'other project' | 'not found' | 'no answers' | 'malformed' | 'rejected'
  reason: string | undefined
  /** What it leads to, where that is known. */
  version?: ReceivedObject | undefined
}

export const stateTones: Record<ScorerRefState['state'], Exclude<Tone, 'neutral'>> = {
  ok: 'good',
  duplicate: 'warn',
  'other project': 'warn',
  'not found': 'warn',
  'no answers': 'warn',
  malformed: 'bad',
  rejected: 'bad',
}

/** `versions`: those of the objects that the references name, where they are known; all of them if `isComplete`. */
export function toScorerRefStates(
  refs: readonly FormScorerRef[],
  projectId: string,
  versions?: readonly ReceivedObject[],
  isComplete = true,
): ScorerRefState[] {
  const seen = new Set<string>()
  const names = new Set<string>()
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
    if (names.has(parts.name)) {
      return {
        text,
        parts,
        state: 'duplicate',
        reason: 'Another version of it is in the list: reviewers are asked for the first one.',
      }
    }
    names.add(parts.name)
    const version = versions && findVersion(versions, parts)
    if (versions && !version && isComplete) {
      return { text, parts, state: 'not found', reason: 'This project has no such version. It may be deleted, or not made yet.' }
    }
    if (version && version.base_object_class !== annotationSpecClass) {
      const reason = `Reviewers cannot answer it: its class is ${version.base_object_class ?? 'unknown'}, not ${annotationSpecClass}.`
      return { text, parts, state: 'no answers', reason, version }
    }
    return { text, parts, state: 'ok', reason: undefined, version }
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
    [count('not found'), 'not found'],
    [count('no answers'), 'without answers'],
    [count('malformed'), 'malformed'],
    [count('rejected'), 'rejected by the server'],
  ]
  return counts.flatMap(([number, label]) => (number > 0 ? [`${number} ${label}`] : [])).join(', ')
}

/** The contract adds the expected form to each reason; the page shows it once for the whole list. */
function withoutExpectedForm(reason: string): string {
  return reason.slice(0, Math.max(0, reason.indexOf(' Expected '))) || reason
}

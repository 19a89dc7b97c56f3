import { annotationSpecClass } from '../../../contract/annotation-spec'
import type { ReceivedObject } from '../../../contract/received-objects'
import { formatVersion } from '../../format/object-version'

type Saving = {
  /** '' where there is nothing to tell. */
  text: string
  button: string
  /** Whether an object of another class has the name. */
  isTaken: boolean
  /** Whether there is a version after the one that is edited. */
  isOvertaken: boolean
}

/** What saving will do, said before it is done. `newest` is the newest version of the name that is typed. */
export function describeSaving(id: string, newest: ReceivedObject | undefined, base: ReceivedObject | undefined): Saving {
  const saving = { text: '', button: base ? 'Save new version' : 'Save scorer', isTaken: false, isOvertaken: false }
  if (!newest) return saving
  if (newest.base_object_class !== annotationSpecClass) {
    const text = `This project has ${id} already, and it is no question for reviewers (${newest.base_object_class ?? 'no class'}). Choose another name.`
    return { ...saving, text, isTaken: true }
  }
  const next = newest.version_index === null ? 'a new version' : `v${newest.version_index + 1}`
  const button = `Save as ${next}`
  const current = formatVersion(newest)
  if (!base) return { ...saving, button, text: `${id} exists already: this makes ${next}. Queues with ${current} keep it.` }
  if (newest.digest === base.digest)
    return { ...saving, button, text: `This makes ${next} of ${id}. Queues keep the version they have.` }
  const author = newest.wb_user_id === null ? '' : ` by ${newest.wb_user_id}`
  const text = `${current} was saved${author} after ${formatVersion(base)}, which you edit. Yours becomes ${next}, without these changes; both stay.`
  return { ...saving, button, text, isOvertaken: true }
}

type Stored = {
  id: string
  digest: string
  /** The versions right before and after, the newest first; undefined where the service does not say. */
  before: readonly ReceivedObject[] | undefined
  after: readonly ReceivedObject[] | undefined
}

/** What was stored, and who else stored a version at the same moment. */
export function describeStored({ id, digest, before = [], after = [] }: Stored): string {
  const existing = before.find((version) => version.digest === digest)
  if (existing) return `Nothing was changed: this is ${formatVersion(existing)} of ${id}.`
  const own = after.find((version) => version.digest === digest)
  const others = after.filter((version) => version !== own && !before.some((known) => known.digest === version.digest))
  const meanwhile = others.map(
    (version) =>
      ` ${formatVersion(version)} was saved at the same moment by ${version.wb_user_id ?? 'somebody else'}; both stay.`,
  )
  return `Saved ${id}${own ? ` as ${formatVersion(own)}` : ''}.${meanwhile.join('')}`
}

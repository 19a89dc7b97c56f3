import type { Change } from './last-visit'

/** Says what happened since the last visit. */
export function ChangeMark({ change }: { change: Change | undefined }) {
  if (!change) return null
  return (
    <span className="soft-mark" title={titles[change]}>
      {change}
    </span>
  )
}

const titles: Readonly<Record<Change, string>> = {
  new: 'Started since your last visit',
  updated: 'Changed since your last visit',
}

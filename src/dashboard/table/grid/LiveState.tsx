import { pollSeconds } from '../../client/follow-changes'

/** Whether what is on screen is read again when something changes, or every few seconds. `what` begins its explanation. */
export function LiveState({ live, what }: { live: 'live' | 'polling'; what: string }) {
  return (
    <span
      className={`pr-1 text-xs ${live === 'live' ? 'text-good' : 'text-quiet'}`}
      title={live === 'live' ? `${what} read again when something changes` : 'The service cannot be listened to now'}
    >
      {live === 'live' ? 'Live' : `Every ${pollSeconds} s`}
    </span>
  )
}

import { useQuery } from '@tanstack/react-query'
import { readSession } from '../../contract/session'
import type { Connection } from '../client/connection'
import { endpointQuery } from '../client/endpoint-query'
import { ForeignText } from '../format/ForeignText'
import { usePreferences } from '../format/preferences'
import { Time } from '../format/Time'
import { Button } from '../ui/Button'

type Props = { connection: Connection; isBusy: boolean; onSignOutEverywhere: () => void }

/** The user of the session, until when it lasts, and how many others the user has. */
export function SignedInAs({ connection, isBusy, onSignOutEverywhere }: Props) {
  const { data } = useQuery(endpointQuery(readSession, {}, connection))
  const { zone } = usePreferences()
  const others = (data?.session_count ?? 1) - 1
  return (
    <section aria-label="Session" className="mb-4 flex flex-wrap items-center gap-x-4 gap-y-2 border-b border-line pb-4">
      <p className="min-w-48 flex-1 break-words">
        Signed in as{' '}
        <strong className="font-semibold">
          <ForeignText text={connection.username} />
        </strong>
        <span className="block text-xs text-quiet">
          {data?.expires_at ? (
            <>
              Until <Time iso={data.expires_at} zone={zone} />
            </>
          ) : (
            'Until the browser closes, or after 12 hours without use'
          )}
          {others > 0 && `. Also in ${others} other ${others === 1 ? 'browser' : 'browsers'}`}.
        </span>
      </p>
      <Button isBusy={isBusy} onClick={onSignOutEverywhere}>
        Sign out everywhere
      </Button>
    </section>
  )
}

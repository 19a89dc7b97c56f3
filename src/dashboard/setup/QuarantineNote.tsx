import { useQuery } from '@tanstack/react-query'
import { listRefusedCalls } from '../../contract/calls'
import { readSession } from '../../contract/session'
import { useConnection } from '../client/connection-context'
import { endpointQuery } from '../client/endpoint-query'
import { formatCount } from '../format/count'
import { formatVisibleText } from '../format/visible-text'
import { Banner } from '../ui/Banner'

const maxNamedProjects = 3

/** Tells administrators of calls that are stored but missing in threads. Others may not ask for them. */
export function QuarantineNote() {
  const connection = useConnection()
  const session = useQuery({ ...endpointQuery(readSession, {}, connection), retry: false })
  const isAdministrator = session.data?.projects === '*'
  const refused = useQuery({ ...endpointQuery(listRefusedCalls, {}, connection), enabled: isAdministrator, retry: false })
  const quarantined = refused.data?.quarantined
  const latest = quarantined?.latest[0]
  if (!quarantined || !latest) return null
  const projects = [...new Set(quarantined.latest.map((entry) => entry.project_id))]
  const more = projects.length > maxNamedProjects ? ` and ${projects.length - maxNamedProjects} more` : ''
  const count = formatCount(String(quarantined.count))
  return (
    <Banner
      tone="warn"
      title={quarantined.count === 1 ? '1 call or thread is set aside' : `${count} calls or threads are set aside`}
      className="mb-5"
    >
      Their turns cannot be computed, so threads of {projects.slice(0, maxNamedProjects).map(formatVisibleText).join(', ')}
      {more} are incomplete. The calls are stored and can be read. The latest: {latest.reason} Send the call again with fewer or
      shorter ids, or upgrade Spool: both try it again. <code className="font-mono">GET /calls/refused</code> lists them all.
    </Banner>
  )
}

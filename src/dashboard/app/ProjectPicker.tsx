import { useQuery } from '@tanstack/react-query'
import { ProjectId } from '../../contract/project-id'
import { listProjects } from '../../contract/session'
import { useConnection } from '../client/connection-context'
import { endpointQuery } from '../client/endpoint-query'
import { useConnectionState } from '../connection/connection-store-context'
import { formatVisibleText } from '../format/visible-text'
import type { PickerOption } from '../ui/filter-options'
import { useIsAnswered } from '../ui/late-answers'
import { Picker } from '../ui/Picker'
import { useProjectSwitch } from './use-project-switch'

/** Offers recent projects, the projects of the server, and any typed project. */
export function ProjectPicker({ onDone }: { onDone: () => void }) {
  const switchProject = useProjectSwitch()
  return (
    <div className="flex max-h-96 flex-col">
      <Picker
        label="Project"
        placeholder="Find, or type entity/project"
        {...useProjectOptions()}
        toCustomOptions={(text) =>
          ProjectId.safeParse(text).success
            ? [{ id: text, label: formatVisibleText(text), group: 'Go to', icon: 'arrow-right' }]
            : []
        }
        emptyText="No such project. Type one as entity/project."
        onPick={({ id }) => {
          switchProject(id)
          onDone()
        }}
      />
    </div>
  )
}

/** The command palette uses it too. Without `/projects` on the server only recent projects are offered. */
export function useProjectOptions(): { options: PickerOption[]; loadingText: string } {
  const connection = useConnection()
  const { recentProjects } = useConnectionState()
  // On a weak device the picker is on screen first: to send a request takes a seventh of the time of the first frame.
  const enabled = useIsAnswered()
  const { data, isPending } = useQuery({ ...endpointQuery(listProjects, {}, connection), staleTime: 60_000, enabled })
  const recent = [...new Set([connection.projectId, ...recentProjects])]
  const others = (data?.projects ?? []).filter((projectId) => !recent.includes(projectId))
  const option = (group: string) => (projectId: string) => ({
    id: projectId,
    label: formatVisibleText(projectId),
    group,
    isCurrent: projectId === connection.projectId,
  })
  return {
    options: [...recent.map(option('Used here')), ...others.map(option('On this server'))],
    loadingText: isPending ? 'Projects are still loading.' : '',
  }
}

import { useQuery } from '@tanstack/react-query'
import { ProjectId } from '../../contract/project-id'
import { listProjects } from '../../contract/session'
import { useConnection } from '../client/connection-context'
import { queryFor } from '../client/query-for'
import { useConnectionState } from '../connection/connections-context'
import { Picker, type PickerOption } from '../ui/Picker'
import { useProjectSwitch } from './use-project-switch'
import { moreIcons } from '../ui/more-icons'

/** The projects the server knows, those used here before, and whatever is typed. */
export function ProjectPicker({ onDone }: { onDone: () => void }) {
  const options = useProjectOptions()
  const switchProject = useProjectSwitch()
  return (
    <div className="flex max-h-96 flex-col">
      <Picker
        label="Project"
        placeholder="Find, or type entity/project"
        options={options}
        optionOf={(text) =>
          ProjectId.safeParse(text).success ? { id: text, label: text, group: 'Go to', icon: moreIcons.arrowRight } : undefined
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

/** Also for the palette. A server without `/projects` leaves those used here. */
export function useProjectOptions(): PickerOption[] {
  const connection = useConnection()
  const { recentProjects } = useConnectionState()
  const { data } = useQuery({ ...queryFor(listProjects, {}, connection), staleTime: 60_000 })
  const recent = [...new Set([connection.projectId, ...recentProjects])]
  const others = (data?.projects ?? []).filter((projectId) => !recent.includes(projectId))
  const option = (group: string) => (projectId: string) => ({
    id: projectId,
    label: projectId,
    group,
    isCurrent: projectId === connection.projectId,
  })
  return [...recent.map(option('Used here')), ...others.map(option('On this server'))]
}

import { useQuery } from '@tanstack/react-query'
import { ProjectId } from '../../contract/project-id'
import { listProjects } from '../../contract/session'
import { useConnection } from '../client/connection-context'
import { endpointQuery } from '../client/endpoint-query'
import { useFailure } from '../client/use-failure'
import { useConnectionState } from '../connection/connection-store-context'
import { formatVisibleText } from '../format/visible-text'
import { FailureActions, formatFailure } from '../table/grid/Failure'
import { Banner } from '../ui/Banner'
import type { PickerOption } from '../ui/filter-options'
import { useIsAnswered } from '../ui/late-answers'
import { Picker } from '../ui/Picker'
import { useProjectSwitch } from './use-project-switch'

/** Offers recent projects, the projects of the server, and any typed project. */
export function ProjectPicker({ onDone }: { onDone: () => void }) {
  const switchProject = useProjectSwitch()
  const { options, loadingText, failure } = useProjectOptions()
  return (
    <div className="flex max-h-96 flex-col">
      <Picker
        label="Project"
        placeholder="Find, or type entity/project"
        options={options}
        loadingText={loadingText}
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
      {failure && <ProjectsFailure {...failure} />}
    </div>
  )
}

type Failure = { error: Error; refetch: () => Promise<unknown> }

/** Says that the list is not that of the server: a project that it does not have may exist. */
export function ProjectsFailure({ error, refetch }: Failure) {
  return (
    <Banner
      tone="bad"
      className="m-2 shrink-0"
      title="The projects could not be read"
      actions={<FailureActions error={error} refetch={refetch} />}
    >
      {formatFailure(error)}
    </Banner>
  )
}

type ProjectOptions = { options: PickerOption[]; loadingText: string; failure: Failure | undefined }

/** The command palette uses it too. Without `/projects` on the server only recent projects are offered. */
export function useProjectOptions(): ProjectOptions {
  const connection = useConnection()
  const { recentProjects } = useConnectionState()
  // On a weak device the picker is on screen first: to send a request takes a seventh of the time of the first frame.
  const enabled = useIsAnswered()
  const query = useQuery({ ...endpointQuery(listProjects, {}, connection), staleTime: 60_000, enabled })
  const { data, isPending, refetch } = query
  const error = useFailure(query)
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
    loadingText: isPending && !error ? 'Projects are still loading. Enter waits for them.' : '',
    failure: error ? { error, refetch } : undefined,
  }
}

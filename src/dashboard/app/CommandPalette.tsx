import { useLocation } from 'wouter'
import { maxThreadIdLength } from '../../contract/limits'
import { useConnection } from '../client/connection-context'
import { useConnectionState, useConnectionStore } from '../connection/connection-store-context'
import { toCallPageHref, toThreadHref } from '../format/thread-href'
import { formatVisibleText } from '../format/visible-text'
import { announce } from '../ui/announce'
import { copyText } from '../ui/copy-text'
import { Dialog } from '../ui/Dialog'
import { moreIcons } from '../ui/more-icons'
import type { PickerOption } from '../ui/filter-options'
import { Picker } from '../ui/Picker'
import { withProject } from './links'
import { pages, sections } from './pages'
import { densities, themes, zones } from './preference-choices'
import { useAllPreferences } from './preferences-context'
import { ProjectsFailure, useProjectOptions } from './ProjectPicker'
import { useProjectSwitch } from './use-project-switch'

type Command = PickerOption & { run: () => void }

type Props = {
  /** What was typed before the palette was there. */
  initialText: string
  onClose: () => void
  onHelp: () => void
}

/** Finds and runs every command of the shell by its name. What is typed may also be the id of a thread or a call. */
export function CommandPalette({ initialText, onClose, onHelp }: Props) {
  const { options: projects, loadingText, failure } = useProjectOptions()
  const commands = useCommands(projects, onHelp)
  const [, navigate] = useLocation()
  return (
    <Dialog title="Command palette" onClose={onClose} className="mt-[12vh] w-128" isBare>
      <div className="flex max-h-[60dvh] flex-col">
        <Picker
          label="Command"
          initialText={initialText}
          placeholder="Go to, switch, change, or paste an id"
          options={commands}
          loadingText={loadingText}
          isIncomplete={failure !== undefined}
          emptyText="No command matches these words."
          toCustomOptions={(text) => toIdCommands(text, navigate)}
          onPick={({ run }) => {
            onClose()
            run()
          }}
        />
        {failure && <ProjectsFailure {...failure} />}
      </div>
    </Dialog>
  )
}

function useCommands(projects: readonly PickerOption[], onHelp: () => void): Command[] {
  const [path, navigate] = useLocation()
  const [preferences, change] = useAllPreferences()
  const connection = useConnection()
  const { connections } = useConnectionState()
  const store = useConnectionStore()
  const switchProject = useProjectSwitch()
  return [
    ...sections.map(({ path: to, title, icon, shortcut }) => ({
      id: to,
      label: title,
      group: 'Go to',
      icon,
      keys: `g+${shortcut}`,
      isCurrent: path === to,
      run: () => navigate(to),
    })),
    ...pages
      .filter((page) => !page.section && !page.path.includes(':'))
      .map(({ path: to, title }) => ({ id: to, label: title, group: 'Go to', icon: 'plus', run: () => navigate(to) })),
    {
      id: 'copy-link',
      label: 'Copy a link to this view',
      group: 'This view',
      icon: moreIcons.link,
      run: () => {
        void copyText(location.origin + withProject(location.pathname + location.search, connection.projectId)).then((isCopied) =>
          announce(isCopied ? 'Link copied' : 'Copying failed'),
        )
      },
    },
    { id: 'help', label: 'Keyboard help', group: 'This view', icon: moreIcons.help, keys: '?', run: onHelp },
    ...projects.map(({ id, label, isCurrent = false }) => ({
      id: `project ${id}`,
      label,
      isCurrent,
      group: 'Project',
      run: () => switchProject(id),
    })),
    ...connections
      .filter(({ id }) => id !== connection.id)
      .map(({ id, name }) => ({ id: `connection ${id}`, label: name, group: 'Connection', run: () => store.select(id) })),
    ...themes.map(({ value, label }) => ({
      id: `theme ${value}`,
      label,
      group: 'Theme',
      isCurrent: preferences.theme === value,
      run: () => change({ theme: value }),
    })),
    ...zones.map(({ value, label }) => ({
      id: `zone ${value}`,
      label,
      group: 'Time zone',
      isCurrent: preferences.zone === value,
      run: () => change({ zone: value }),
    })),
    ...densities.map(({ value, label }) => ({
      id: `density ${value}`,
      label,
      group: 'Density',
      isCurrent: preferences.density === value,
      run: () => change({ density: value }),
    })),
  ]
}

/** An id alone does not say what it is of. No id is longer. */
function toIdCommands(id: string, navigate: (href: string) => void): Command[] {
  if (Array.from(id).length > maxThreadIdLength) return []
  const places = { Thread: toThreadHref(id), Call: toCallPageHref(id) }
  return Object.entries(places).flatMap(([label, href]) =>
    href === undefined
      ? []
      : [
          {
            id: href,
            label: `${label} ${formatVisibleText(id)}`,
            group: 'Open by id',
            icon: 'arrow-right',
            // While projects load, their names must not be taken for ids.
            isGuess: true,
            run: () => navigate(href),
          },
        ],
  )
}

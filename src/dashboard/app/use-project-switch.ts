import { useLocation } from 'wouter'
import { useConnectionStore } from '../connection/connection-store-context'
import { formatVisibleText } from '../format/visible-text'
import { announce } from '../ui/announce'
import { withProject } from './links'
import { findSection } from './pages'

/** Switches the project and keeps the section. Filters and open rows belong to the old project and are dropped. */
export function useProjectSwitch(): (projectId: string) => void {
  const store = useConnectionStore()
  const [path, navigate] = useLocation()
  return (projectId) => {
    // The address first: the view that it leaves keeps its own project in the history.
    navigate(withProject(findSection(path)?.path ?? '/costs', projectId))
    store.switchProject(projectId)
    announce(`Project ${formatVisibleText(projectId)}`)
  }
}

import { useLocation } from 'wouter'
import { useConnectionStore } from '../connection/connection-store-context'
import { announce } from '../ui/announce'
import { findSection } from './pages'

/** Switches the project and keeps the section. Filters and open rows belong to the old project and are dropped. */
export function useProjectSwitch(): (projectId: string) => void {
  const store = useConnectionStore()
  const [path, navigate] = useLocation()
  return (projectId) => {
    store.switchProject(projectId)
    navigate(findSection(path)?.path ?? '/costs')
    announce(`Project ${projectId}`)
  }
}

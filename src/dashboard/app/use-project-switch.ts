import { useLocation } from 'wouter'
import { useConnectionStore } from '../connection/connection-store-context'
import { announce } from '../ui/announce'
import { findPage } from './pages'

/** Goes to another project: same page, without the filters and open rows that were about the one before. */
export function useProjectSwitch(): (projectId: string) => void {
  const store = useConnectionStore()
  const [path, navigate] = useLocation()
  return (projectId) => {
    store.switchProject(projectId)
    navigate(findPage(path)?.path ?? '/costs')
    announce(`Project ${projectId}`)
  }
}

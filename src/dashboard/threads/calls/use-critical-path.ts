import { useEffect, useState } from 'react'
import { pause } from '../../client/pause'
import type { CallNode } from './call-tree'
import { type CriticalPath, groupCriticalPath } from './critical-path'
import { runStepsInSlices } from './run-steps'

const noPath: CriticalPath = new Map()

/** The critical path of a turn, empty until it is found. Undefined: not all of the turn is there yet. */
export function useCriticalPath(turn: CallNode | undefined): CriticalPath {
  const [found, setFound] = useState<{ turn: CallNode; path: CriticalPath }>()
  // For 100,000 calls it takes some tasks.
  useEffect(() => {
    if (!turn) return undefined
    const abort = new AbortController()
    void runStepsInSlices(groupCriticalPath(turn), abort.signal, () => pause(0)).then((path) => path && setFound({ turn, path }))
    return () => abort.abort()
  }, [turn])
  return found && found.turn === turn ? found.path : noPath
}

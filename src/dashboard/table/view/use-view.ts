import { useCallback, useMemo } from 'react'
import { useSearch } from 'wouter'
import { navigate } from 'wouter/use-browser-location'
import { changedSearch, type Params, readView, type ViewOf } from './params'

/** `replace` for what changes at every key press: one step back should undo it all. */
export type SetView<View> = (change: Partial<View>, options?: { replace?: boolean }) => void

/** A view's state, which lives in the address and nowhere else. Define `params` at module scope. */
export function useView<P extends Params>(params: P): [ViewOf<P>, SetView<ViewOf<P>>] {
  const search = useSearch()
  const view = useMemo(() => readView(params, search), [params, search])
  const setView = useCallback<SetView<ViewOf<P>>>(
    (change, { replace = false } = {}) => {
      // The address as it is now, not as it was drawn: two changes in one event must both count.
      const next = changedSearch(params, location.search, change)
      navigate(`${location.pathname}${next && `?${next}`}`, { replace })
    },
    [params],
  )
  return [view, setView]
}

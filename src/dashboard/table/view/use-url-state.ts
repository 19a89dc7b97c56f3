import { useCallback, useMemo } from 'react'
// The one of 'wouter' decodes a part: an id with %25 in it would be decoded twice.
import { navigate, useSearch } from 'wouter/use-browser-location'
import { updateSearch, type UrlParams, parseView, type ParamValues } from './url-params'

/** `replace`: for changes at every key press, so that one step back undoes all of them. */
export type SetView<View> = (change: Partial<View>, options?: { replace?: boolean }) => void

/** Changes the URL. Components that read it by `useUrlState` follow. */
export function setUrlState<P extends UrlParams>(
  params: P,
  change: Partial<ParamValues<P>>,
  { replace = false }: { replace?: boolean } = {},
): void {
  // The current URL, not the rendered one: two changes in one event must both count.
  const next = updateSearch(params, location.search, change)
  navigate(`${location.pathname}${next && `?${next}`}`, { replace })
}

/** State that lives in the URL and nowhere else. Define `params` at module scope. */
export function useUrlState<P extends UrlParams>(params: P): [ParamValues<P>, SetView<ParamValues<P>>] {
  const search = useSearch()
  const view = useMemo(() => parseView(params, search), [params, search])
  const setView = useCallback<SetView<ParamValues<P>>>((change, options) => setUrlState(params, change, options), [params])
  return [view, setView]
}

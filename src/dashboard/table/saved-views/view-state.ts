/** The parameter that names the saved view that a page was opened with. */
export const viewIdParam = 'view-id'

// Where somebody is in a view is no part of it.
const placeParams = new Set(['page', 'row'])

/** The state of a page: those of its parameters that are in the URL, in one order, so that equal states are equal texts. */
export function readViewState(search: string, paramNames: readonly string[]): string {
  const params = new URLSearchParams(search)
  const names = [...new Set(paramNames)].filter((name) => params.has(name) && !placeParams.has(name)).toSorted()
  return new URLSearchParams(names.map((name) => [name, params.get(name) ?? ''])).toString()
}

/** Whether the page shows what was saved. Where no columns were saved, each device has its own. */
export function isViewState(saved: string, search: string, paramNames: readonly string[]): boolean {
  const names = new URLSearchParams(saved).has('hidden') ? paramNames : paramNames.filter((name) => name !== 'hidden')
  return readViewState(saved, names) === readViewState(search, names)
}

/** The search part of the URL that shows a view. */
export function toViewSearch({ id, state }: { id: string; state: string }): string {
  return `${state === '' ? '' : `${state}&`}${viewIdParam}=${encodeURIComponent(id)}`
}

/** The id of the saved view in a URL; undefined where there is none. */
export function readViewId(search: string): string | undefined {
  return new URLSearchParams(search).get(viewIdParam) ?? undefined
}

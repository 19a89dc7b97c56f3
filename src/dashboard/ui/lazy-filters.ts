import { lazy } from 'react'

// The popovers of the filters are one file, which loads after the first rows.

const loadChoiceList = () => import('./ChoiceList')

export const ChoiceList = lazy(async () => ({ default: (await loadChoiceList()).ChoiceList }))

export function preloadFilters(): void {
  // A failure is reported by the popover that needs the file: it tries again.
  loadChoiceList().catch(() => undefined)
}

/** Why filters are disabled, where a service does not have what they need. */
export function NoSearch({ canSearch }: { canSearch: boolean | undefined }) {
  if (canSearch === true) return null
  return (
    <output className="text-quiet">
      {canSearch === undefined
        ? 'Asking whether this service can search threads…'
        : 'This service cannot search threads: it has no /threads/search.'}
    </output>
  )
}

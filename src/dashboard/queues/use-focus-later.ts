import { useEffect, useState } from 'react'

/** Gives the focus to the element of an id once what is being changed has been drawn. */
export function useFocusLater(): (id: string) => void {
  const [wanted, setWanted] = useState<{ id: string }>()
  // The focus is the document's.
  useEffect(() => {
    if (wanted) document.getElementById(wanted.id)?.focus()
  }, [wanted])
  return (id) => setWanted({ id })
}

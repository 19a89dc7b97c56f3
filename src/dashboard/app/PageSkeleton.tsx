import { Skeleton } from '../ui/Skeleton'

/** While a page's file is on its way: the same lines index.html shows before any file is there. */
export function PageSkeleton() {
  return (
    <output aria-label="Loading" className="block px-4 py-4">
      <Skeleton className="h-4 w-32" />
    </output>
  )
}

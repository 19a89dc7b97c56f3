/** A placeholder for text that is still loading; `className` gives its size. */
export function Skeleton({ className = 'h-3 w-24' }: { className?: string }) {
  return (
    <span
      aria-hidden="true"
      className={`inline-block animate-pulse rounded-[3px] bg-line motion-reduce:animate-none ${className}`}
    />
  )
}

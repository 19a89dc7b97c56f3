/** A place held for text that is on its way; its size comes from `className`. */
export function Skeleton({ className = 'h-3 w-24' }: { className?: string }) {
  return (
    <span
      aria-hidden="true"
      className={`inline-block animate-pulse rounded-[3px] bg-line motion-reduce:animate-none ${className}`}
    />
  )
}

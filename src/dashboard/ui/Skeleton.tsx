type Props = { className?: string; isStill?: boolean }

/** A placeholder for text that is still loading; `className` gives its size. `isStill`: something beside it moves already. */
export function Skeleton({ className = 'h-3 w-24', isStill = false }: Props) {
  const motion = isStill ? '' : 'animate-pulse motion-reduce:animate-none'
  return <span aria-hidden="true" className={`inline-block rounded-[3px] bg-line ${motion} ${className}`} />
}

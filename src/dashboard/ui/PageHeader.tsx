import { type ReactNode, useLayoutEffect, useRef } from 'react'

// Module state: one heading takes the place of another.
let wasFocusRemoved = false

type Props = { title: ReactNode; aside?: ReactNode; children?: ReactNode }

/** The heading of a page, two lines of it at most, with its actions at the end of the line; `aside` stands quietly beside the title. */
export function PageHeader({ title, aside, children }: Props) {
  const heading = useRef<HTMLHeadingElement>(null)
  // Where the heading of what is loading gives way to the one of what is there, the focus stays at this place.
  useLayoutEffect(() => {
    const element = heading.current
    if (wasFocusRemoved) element?.focus({ preventScroll: true })
    return () => {
      wasFocusRemoved = document.activeElement === element
      queueMicrotask(() => (wasFocusRemoved = false))
    }
  }, [])
  return (
    <header className="flex min-h-12 shrink-0 flex-wrap items-center gap-x-3 gap-y-2 px-4 py-2">
      <h1 ref={heading} tabIndex={-1} className="line-clamp-2 min-w-0 text-lg font-semibold break-words outline-none">
        {title}
      </h1>
      {aside && <div className="min-w-0 break-words text-quiet">{aside}</div>}
      {children && <div className="ml-auto flex flex-wrap items-center gap-2">{children}</div>}
    </header>
  )
}

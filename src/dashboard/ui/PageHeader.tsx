import type { ReactNode } from 'react'

type Props = {
  title: ReactNode
  /** Stands quietly beside the title. */
  aside?: ReactNode
  /** Chooses what the page shows: after the title, and in a narrow window on a line of its own. */
  views?: ReactNode
  /** The actions, at the end of the line. */
  children?: ReactNode
}

/** The heading of a page, two lines of it at most. */
export function PageHeader({ title, aside, views, children }: Props) {
  return (
    <header className="flex min-h-12 shrink-0 flex-wrap items-center gap-x-3 gap-y-2 px-4 py-2">
      <h1 tabIndex={-1} className="line-clamp-2 min-w-0 text-lg font-semibold break-words outline-none">
        {title}
      </h1>
      {aside && <div className="min-w-0 break-words text-quiet">{aside}</div>}
      {views && <div className="min-w-0 max-sm:order-last max-sm:w-full">{views}</div>}
      {children && <div className="ml-auto flex flex-wrap items-center gap-2 print:hidden">{children}</div>}
    </header>
  )
}

import { Link } from 'wouter'
import { buttonClass } from '../ui/button-class'
import { PageHeader } from '../ui/PageHeader'
import { pages } from './pages'

export function NotFoundPage({ path }: { path: string }) {
  return (
    <>
      <PageHeader title="No such page" />
      <div className="flex flex-col items-start gap-3 px-4">
        <p className="break-words">
          Nothing is at <code className="font-mono">{path}</code>. The address may be mistyped, or from another version.
        </p>
        <div className="flex flex-wrap gap-2">
          {pages.map((page) => (
            <Link key={page.path} href={page.path} className={buttonClass()}>
              {page.name}
            </Link>
          ))}
        </div>
      </div>
    </>
  )
}

import { Link } from 'wouter'
import { buttonClass } from '../ui/button-class'
import { PageHeader } from '../ui/PageHeader'
import { sections } from './pages'

export function NotFoundPage({ path }: { path: string }) {
  return (
    <>
      <PageHeader title="Page not found" />
      <div className="flex flex-col items-start gap-3 px-4">
        <p className="break-words">
          There is no page at <code className="font-mono">{path}</code>. The address may be mistyped, or belong to another
          version.
        </p>
        <div className="flex flex-wrap gap-2">
          {sections.map((section) => (
            <Link key={section.path} href={section.path} className={buttonClass()}>
              {section.title}
            </Link>
          ))}
        </div>
      </div>
    </>
  )
}

import { Link, useLocation } from 'wouter'
import { Icon } from '../ui/Icon'
import { SpoolLogo } from '../ui/SpoolLogo'
import { findPage, pages } from './pages'

/** The way to the pages: a column at the side, a bar at the bottom of a narrow window. */
export function Rail() {
  const [path] = useLocation()
  const current = findPage(path)
  return (
    <nav aria-label="Pages" className="shell-rail">
      <Link href="/costs" className="shell-brand" aria-label="Spool, to the costs">
        <SpoolLogo />
        <span>Spool</span>
      </Link>
      <div className="shell-nav">
        {pages.map((page) => (
          <Link key={page.path} href={page.path} className="shell-link" aria-current={page === current ? 'page' : undefined}>
            <Icon name={page.icon} />
            <span>{page.name}</span>
          </Link>
        ))}
      </div>
    </nav>
  )
}

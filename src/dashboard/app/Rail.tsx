import { memo } from 'react'
import { Link, useLocation } from 'wouter'
import { Icon } from '../ui/Icon'
import { SpoolLogo } from '../ui/SpoolLogo'
import { findSection, sections } from './pages'

/** The links to the sections: a column at the side, or a bar at the bottom of a narrow window. */
export const Rail = memo(function Rail() {
  const [path] = useLocation()
  const current = path === '/' ? sections[0] : findSection(path)
  return (
    <nav aria-label="Pages" className="shell-rail">
      <Link href="/costs" className="shell-brand" aria-label="Spool, to the costs">
        <SpoolLogo />
        <span>Spool</span>
      </Link>
      <div className="shell-nav">
        {sections.map((section) => (
          <Link
            key={section.path}
            href={section.path}
            className="shell-link"
            aria-current={section === current ? 'page' : undefined}
          >
            <Icon name={section.icon} />
            <span>{section.title}</span>
          </Link>
        ))}
      </div>
    </nav>
  )
})

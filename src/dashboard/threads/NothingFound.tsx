import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { ForeignText } from '../format/ForeignText'
import { buttonClass } from '../ui/button-class'
import { EmptyState } from '../ui/EmptyState'
import { PageHeader } from '../ui/PageHeader'

type Props = { title: string; text: string; id?: string; children?: ReactNode }

/** In place of a thread or a call that cannot be shown: the reason, its id, and where to go. `children` are more actions. */
export function NothingFound({ title, text, id, children }: Props) {
  return (
    <>
      <PageHeader title={title} />
      <EmptyState
        action={
          <div className="flex flex-wrap gap-2">
            {children}
            <Link href="/threads" className={buttonClass()}>
              All threads
            </Link>
          </div>
        }
      >
        <output>{text}</output>{' '}
        {id !== undefined && (
          <code className="block font-mono break-all">
            <ForeignText text={id} />
          </code>
        )}
      </EmptyState>
    </>
  )
}

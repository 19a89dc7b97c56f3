import { useState } from 'react'
import { formatCount } from '../format/count'
import { ForeignText } from '../format/ForeignText'
import { Button } from '../ui/Button'
import { Icon } from '../ui/Icon'
import { LongText } from './LongText'

/** How many entries of a list or an object are drawn at once. */
const entriesAtOnce = 100
/** Two levels are open at first, where the lists are short. */
const openLevels = 2
const maxOpenEntries = 20
/** Deeper levels are not drawn further to the right. */
const maxIndentLevel = 16

/** A JSON value that can be opened level by level. Only what is open is in the page. */
export function JsonTree({ value, label }: { value: unknown; label: string }) {
  return (
    <ul aria-label={label} className="json-tree">
      {isBranch(value) ? <Entries value={value} level={0} /> : <Entry name={null} value={value} level={0} />}
    </ul>
  )
}

type Branch = readonly unknown[] | Readonly<Record<string, unknown>>

function isBranch(value: unknown): value is Branch {
  return typeof value === 'object' && value !== null
}

function listEntries(value: Branch): [string, unknown][] {
  return Array.isArray(value) ? value.map((item: unknown, index) => [String(index), item]) : Object.entries(value)
}

function Entries({ value, level }: { value: Branch; level: number }) {
  const [shown, setShown] = useState(entriesAtOnce)
  const entries = listEntries(value)
  return (
    <>
      {entries.slice(0, shown).map(([name, item]) => (
        <Entry key={name} name={name} value={item} level={level} />
      ))}
      {entries.length === 0 && <li className="text-faint">{Array.isArray(value) ? 'empty list' : 'empty object'}</li>}
      {entries.length > shown && (
        <li>
          <Button variant="quiet" className="-ml-2 text-accent" onClick={() => setShown(shown + entriesAtOnce)}>
            {`Show ${formatCount(String(Math.min(entriesAtOnce, entries.length - shown)))} more of ${formatCount(String(entries.length))}`}
          </Button>
        </li>
      )}
    </>
  )
}

function Entry({ name, value, level }: { name: string | null; value: unknown; level: number }) {
  const size = isBranch(value) ? Object.keys(value).length : 0
  const [isOpen, setIsOpen] = useState(level < openLevels - 1 && size <= maxOpenEntries)
  const key = name !== null && (
    <span className="json-key">
      <ForeignText text={name} />
    </span>
  )
  if (!isBranch(value) || size === 0) {
    return (
      <li className="json-leaf">
        {key}
        <Scalar value={value} />
      </li>
    )
  }
  return (
    <li>
      <button type="button" aria-expanded={isOpen} className="json-branch" onClick={() => setIsOpen(!isOpen)}>
        <Icon name={isOpen ? 'chevron-down' : 'chevron-right'} className="text-faint" />
        {key}
        <span className="text-faint">{describeSize(value, size)}</span>
      </button>
      {isOpen && (
        <ul className={level < maxIndentLevel ? 'json-children' : ''}>
          <Entries value={value} level={level + 1} />
        </ul>
      )}
    </li>
  )
}

function describeSize(value: Branch, size: number): string {
  const noun = Array.isArray(value) ? 'item' : 'field'
  return `${formatCount(String(size))} ${noun}${size === 1 ? '' : 's'}`
}

function Scalar({ value }: { value: unknown }) {
  if (typeof value === 'string') {
    return value === '' ? (
      <span className="text-faint">empty text</span>
    ) : (
      <LongText text={value} foldAt={500} className="min-w-0 flex-1" />
    )
  }
  if (isBranch(value)) return <span className="text-faint">{Array.isArray(value) ? 'empty list' : 'empty object'}</span>
  return <span className={value === null ? 'text-faint' : 'text-accent tabular-nums'}>{String(value)}</span>
}

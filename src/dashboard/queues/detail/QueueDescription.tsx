import { useState } from 'react'
import { formatVisibleLines } from '../../format/visible-text'

/** So much is about two lines of a wide window. */
const shortLength = 180

/** What a queue is for, and how its items are to be judged. A long one is folded. */
export function QueueDescription({ text: written }: { text: string }) {
  const [isOpen, setIsOpen] = useState(false)
  const text = written.trim()
  if (text === '') return null
  const isLong = text.length > shortLength || text.split('\n').length > 2
  return (
    <div className="max-w-200">
      <p className={`break-words whitespace-pre-wrap [unicode-bidi:plaintext] ${isLong && !isOpen ? 'line-clamp-2' : ''}`}>
        {formatVisibleLines(text)}
      </p>
      {isLong && (
        <button
          type="button"
          aria-expanded={isOpen}
          className="cursor-pointer text-accent underline"
          onClick={() => setIsOpen(!isOpen)}
        >
          {isOpen ? 'Show less' : 'Show all'}
        </button>
      )}
    </div>
  )
}

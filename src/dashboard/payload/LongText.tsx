import { memo, useEffect, useMemo, useState } from 'react'
import { formatCount } from '../format/count'
import { formatVisibleContent } from '../format/visible-content'
import { Button } from '../ui/Button'
import { splitText } from './split-text'

type Props = {
  text: string
  /** A longer text is shown up to here at first. */
  foldAt?: number
  isCode?: boolean
  className?: string
}

/** A quarter of a million characters at once. */
const blocksAtOnce = 64
/** Of these, so many are drawn in one task. */
const blocksPerTask = 8

/** Text from outside: never markup, its direction its own, nothing in it invisible. A long one is folded. */
export function LongText({ text, foldAt = 1500, isCode = false, className = '' }: Props) {
  const [shown, setShown] = useState(0)
  const isFolded = shown === 0 && text.length > foldAt + 500
  const blocks = useMemo(() => (isFolded ? [] : splitText(text)), [text, isFolded])
  const count = Math.max(shown, blocksAtOnce)
  const drawn = useDrawnCount(Math.min(count, blocks.length))
  const look = `${isCode ? 'font-mono text-xs' : ''} whitespace-pre-wrap wrap-anywhere ${className}`
  const length = formatCount(String(text.length))
  return (
    <div className={look}>
      {isFolded ? (
        <Block text={`${text.slice(0, foldAt)}…`} />
      ) : (
        // oxlint-disable-next-line react/no-array-index-key -- blocks have no ids; more are only added
        blocks.slice(0, drawn).map((block, index) => <Block key={index} text={block} />)
      )}
      {isFolded && <More label={`Show all ${length} characters`} onClick={() => setShown(blocksAtOnce)} />}
      {!isFolded && blocks.length > count && (
        <More label={`Show more of ${length} characters`} onClick={() => setShown(count + blocksAtOnce)} />
      )}
      {shown > 0 && blocks.length <= blocksAtOnce && <More label="Show less" onClick={() => setShown(0)} />}
    </div>
  )
}

/** Grows up to `count`, a few at a time: a quarter of a million characters at once would block the page. */
function useDrawnCount(count: number): number {
  const [drawn, setDrawn] = useState(blocksPerTask)
  useEffect(() => {
    if (drawn >= count) return undefined
    const timer = setTimeout(() => setDrawn(drawn + blocksPerTask))
    return () => clearTimeout(timer)
  }, [drawn, count])
  return Math.min(drawn, count)
}

function More({ label, onClick }: { label: string; onClick: () => void }) {
  return (
    <Button variant="quiet" className="-ml-2 block font-sans text-sm text-accent" onClick={onClick}>
      {label}
    </Button>
  )
}

/** Blocks out of sight are neither styled nor laid out. */
const Block = memo(function Block({ text }: { text: string }) {
  const shown = useMemo(() => formatVisibleContent(text), [text])
  return (
    <div dir="auto" className="text-block">
      {shown}
    </div>
  )
})

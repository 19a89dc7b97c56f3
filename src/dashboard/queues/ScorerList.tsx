import { CopyButton } from '../ui/CopyButton'
import { decodeScorerName, type ScorerRefState } from './scorer-ref-state'

/** A read-only list of references: the name of each, and a button to copy its text. */
export function ScorerList({ refs }: { refs: readonly ScorerRefState[] }) {
  if (refs.length === 0) return <p className="text-quiet">This queue has no scorer references.</p>
  return (
    <ul aria-label="Scorers" className="border-t border-line">
      {refs.map(({ text, parts, state }, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- the list may contain the same reference twice
        <li key={`${index} ${text}`} className="flex min-h-8 items-center gap-3 border-b border-line py-0.5" title={text}>
          {parts ? (
            <span className="flex min-w-0 flex-1 flex-wrap gap-x-3">
              <span className="w-64 min-w-0 break-all">
                {decodeScorerName(parts.name)}
                <span className="text-quiet">:{parts.version}</span>
              </span>
              <span className="min-w-0 break-all text-quiet">
                {parts.entity}/{parts.project}
              </span>
              {state !== 'ok' && <span className="text-quiet">({state})</span>}
            </span>
          ) : (
            <code className="min-w-0 flex-1 font-mono text-xs break-all">{text}</code>
          )}
          <CopyButton text={text} label={`Copy reference ${index + 1}`} />
        </li>
      ))}
    </ul>
  )
}

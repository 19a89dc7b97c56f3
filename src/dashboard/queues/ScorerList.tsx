import { ForeignText } from '../format/ForeignText'
import { formatVisibleText } from '../format/visible-text'
import { CopyButton } from '../ui/CopyButton'
import { decodeScorerName, type ScorerRefState } from './scorer-ref-state'

/** A read-only list of references: the name of each, and a button to copy its text. */
export function ScorerList({ refs }: { refs: readonly ScorerRefState[] }) {
  if (refs.length === 0) return <p className="text-quiet">This queue has no scorer references.</p>
  return (
    <ul aria-label="Scorers" className="border-t border-line">
      {refs.map(({ text, parts, state }, index) => (
        <li
          // oxlint-disable-next-line react/no-array-index-key -- the list may contain the same reference twice
          key={`${index} ${text}`}
          className="flex min-h-8 items-center gap-3 border-b border-line py-0.5"
          title={formatVisibleText(text)}
        >
          {parts ? (
            <span className="flex min-w-0 flex-1 flex-wrap gap-x-3">
              <span className="min-w-0 flex-[3_1_16rem] break-all">
                <ForeignText text={decodeScorerName(parts.name)} />
                <span className="text-quiet">
                  :<ForeignText text={parts.version} />
                </span>
              </span>
              <span className="min-w-0 flex-[2_1_10rem] break-all text-quiet">
                <ForeignText text={`${parts.entity}/${parts.project}`} />
              </span>
              {state !== 'ok' && <span className="text-quiet">({state})</span>}
            </span>
          ) : (
            <code className="min-w-0 flex-1 font-mono text-xs break-all">
              <ForeignText text={text} />
            </code>
          )}
          <CopyButton text={text} label={`Copy reference ${index + 1}`} />
        </li>
      ))}
    </ul>
  )
}

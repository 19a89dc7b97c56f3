import { parseAnnotationSpec } from '../../../contract/annotation-spec'
import { isJsonObject } from '../../../contract/json-value'
import type { Queue } from '../../../contract/queues'
import type { ReceivedObject } from '../../../contract/received-objects'
import { decodeScorerName } from '../../../contract/scorer-ref'
import { listVersions } from '../../client/object-versions'
import { formatCount } from '../../format/count'
import { ForeignText } from '../../format/ForeignText'
import { formatVersion } from '../../format/object-version'
import { usePreferences } from '../../format/preferences'
import { RefVersion } from '../../format/RefVersion'
import { Time } from '../../format/Time'
import { formatVisibleLines, formatVisibleText } from '../../format/visible-text'
import { Button } from '../../ui/Button'
import { Chip } from '../../ui/Chip'
import { CopyButton } from '../../ui/CopyButton'
import { IconButton } from '../../ui/IconButton'
import { moreIcons } from '../../ui/more-icons'
import type { ScorerRefState } from './scorer-ref-state'
import type { ScorerChange } from './change-scorer-refs'
import { describeAnswer, listSchemaChoices } from './describe-answer'
import { DifferenceList } from './DifferenceList'
import { listDifferences } from './list-differences'
import { SchemaJson } from './SchemaJson'
import { useOpenScorer } from './ScorerDialog'
import { toScorerRef, toScorerValues } from './scorer-values'

type Props = {
  queue: Queue
  state: ScorerRefState
  versions: readonly ReceivedObject[]
  /** Undefined where the service does not change queues. */
  onChange: ((change: ScorerChange, text: string) => void) | undefined
}

/** More are counted: thousands would hold up the page. */
const maxShownChoices = 50

/** One scorer of a queue. */
export function QueueScorer({ queue, state, versions, onChange }: Props) {
  const { text: ref, parts, version } = state
  const open = useOpenScorer()
  const spec = parseAnnotationSpec(version?.val)
  const name = parts ? decodeScorerName(parts.name) : ref
  const newest = version && parts && parts.version !== 'latest' ? listVersions(versions, parts.name)[0] : undefined
  const newer = newest?.digest === version?.digest ? undefined : newest
  const isExpressed = version && toScorerValues(version.val, name)?.type !== 'other'
  const choices = spec ? listSchemaChoices(spec.fieldSchema) : []
  return (
    <li className="flex flex-col gap-1 border-b border-line py-2">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <h2 className="min-w-0 font-semibold break-words">
          <ForeignText text={name} />{' '}
          <span className="font-normal text-quiet">
            <RefVersion scorerRef={ref} version={version} />
          </span>
        </h2>
        {spec && <span className="text-quiet">{describeAnswer(spec.fieldSchema)}</span>}
        {state.state !== 'ok' && <Chip tone="warn">{state.state}</Chip>}
        <span className="ml-auto flex shrink-0 items-center">
          {spec && onChange && (
            <Button variant="quiet" icon={moreIcons.edit} onClick={() => open(ref)} aria-label={`Edit scorer ${name}`}>
              Edit scorer
            </Button>
          )}
          <CopyButton text={ref} label={`Copy reference of ${formatVisibleText(name)}`} />
          {onChange && (
            <IconButton
              label={`Remove ${formatVisibleText(name)}`}
              icon="x"
              onClick={() => onChange({ from: ref }, `${name} was removed from the queue. Its answers stay.`)}
            />
          )}
        </span>
      </div>
      {state.reason && <p className="break-words text-warn">{formatVisibleText(state.reason)}</p>}
      {spec?.description && (
        <p className="break-words whitespace-pre-wrap [unicode-bidi:plaintext]">{formatVisibleLines(spec.description)}</p>
      )}
      {choices.length > 0 && (
        <ul aria-label={`Categories of ${formatVisibleText(name)}`} className="flex flex-wrap gap-1">
          {choices.slice(0, maxShownChoices).map((choice) => (
            <li key={choice} className="max-w-full rounded-[4px] bg-sunken px-1.5 text-xs break-words forced-colors:border">
              <ForeignText text={choice} />
            </li>
          ))}
          {choices.length > maxShownChoices && (
            <li className="text-xs text-quiet">{`and ${formatCount(String(choices.length - maxShownChoices))} more`}</li>
          )}
        </ul>
      )}
      {spec && !isExpressed && isJsonObject(version?.val) && (
        <details>
          <summary className="text-quiet">Schema of the answers</summary>
          <SchemaJson schema={version.val['field_schema']} />
        </details>
      )}
      {version && newer && (
        <NewerVersion
          version={version}
          newer={newer}
          onMove={
            onChange &&
            (() =>
              onChange(
                { from: ref, to: toScorerRef(queue.project_id, newer) },
                `The queue uses ${formatVersion(newer)} of ${name} now.`,
              ))
          }
        />
      )}
    </li>
  )
}

type NewerProps = { version: ReceivedObject; newer: ReceivedObject; onMove: (() => void) | undefined }

function NewerVersion({ version, newer, onMove }: NewerProps) {
  const { zone } = usePreferences()
  return (
    <div className="mt-1 flex flex-wrap items-start gap-x-4 gap-y-1 border-l-2 border-accent pl-3">
      <div className="min-w-48 flex-1">
        <p>
          A newer version exists: {formatVersion(newer)}
          <span className="text-quiet">
            {newer.created_at && (
              <>
                {', '}
                <Time iso={newer.created_at} zone={zone} />
              </>
            )}
            {newer.wb_user_id && (
              <>
                {' by '}
                <ForeignText text={newer.wb_user_id} />
              </>
            )}
          </span>
        </p>
        <DifferenceList differences={listDifferences(version.val, newer.val)} />
        <p className="text-quiet">
          Answers given for {formatVersion(version)} stay as they are and count in the results with the new ones. Completed items
          are not opened again.
        </p>
      </div>
      {onMove && <Button onClick={onMove}>Move this queue to {formatVersion(newer)}</Button>}
    </div>
  )
}

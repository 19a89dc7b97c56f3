import { useState } from 'react'
import { annotationSpecClass, parseAnnotationSpec } from '../../../contract/annotation-spec'
import type { ReceivedObject } from '../../../contract/received-objects'
import { decodeScorerName, parseScorerRef } from '../../../contract/scorer-ref'
import { NotFoundError } from '../../client/api-error'
import { useConnection } from '../../client/connection-context'
import { compareVersions } from '../../client/object-versions'
import { formatVersion, shortenVersion } from '../../format/object-version'
import { formatVisibleText } from '../../format/visible-text'
import { announce } from '../../ui/announce'
import { Button } from '../../ui/Button'
import { Checkbox } from '../../ui/Checkbox'
import type { PickerOption } from '../../ui/filter-options'
import { Picker } from '../../ui/Picker'
import { Popover } from '../../ui/Popover'
import { describeAnswer } from './describe-answer'
import { useProjectScorers } from './scorer-objects'
import { toScorerRef } from './scorer-values'

type Props = {
  /** References that are chosen already. */
  taken: readonly string[]
  /** References that queues of this project use. */
  usedRefs?: readonly string[]
  onPick: (ref: string) => void
}

/** Adds scorers of the project. It stays open, so that several can be picked one after the other. */
export function ScorerPicker(props: Props) {
  return (
    <Popover
      label="Scorers of this project"
      className="w-120"
      focusOn={(panel) => panel.querySelector('input')}
      renderTrigger={(trigger) => (
        <Button {...trigger} icon="plus">
          Pick scorers
        </Button>
      )}
    >
      {() => <ScorerOptions {...props} />}
    </Popover>
  )
}

function ScorerOptions({ taken, usedRefs, onPick }: Props) {
  const { projectId } = useConnection()
  const [hasOlder, setHasOlder] = useState(false)
  const latest = useProjectScorers(true)
  const all = useProjectScorers(false, hasOlder)
  const toOptions = (rows: readonly ReceivedObject[] = []) => rows.map((row) => toOption(projectId, row))
  const options = toOptions(latest.data?.rows)
  const known = new Set(options.map(({ id }) => id))
  const older = hasOlder ? toOptions(all.data?.rows.toSorted(compareVersions)).filter(({ id }) => !known.has(id)) : []
  // Those of this project are in the list; while it is read, nothing stands in their place.
  const isElsewhere = (ref: string) => latest.isError || (latest.isSuccess && !ref.includes(`:///${projectId}/`))
  const used = usedRefs?.filter(isElsewhere).map((ref) => toTypedOption(ref, 'Used in a queue')) ?? []
  const { error } = latest
  const brokenCount = latest.data?.brokenLines.length ?? 0
  return (
    <div className="flex max-h-100 flex-col">
      <Picker
        label="Scorer"
        placeholder="Find by name, answer or description"
        options={[...options, ...used, ...older].filter(({ id }) => !taken.includes(id))}
        toCustomOptions={(text) => (typeof parseScorerRef(text) === 'string' ? [] : [toTypedOption(text)])}
        loadingText={latest.isPending ? 'Scorers are still loading.' : ''}
        emptyText={
          error
            ? ''
            : options.length === 0
              ? 'This project has no scorer yet. Make one, or paste a reference.'
              : 'No other scorer matches these words.'
        }
        onPick={({ id, label }) => {
          onPick(id)
          announce(`Added ${label}`)
        }}
      />
      <div className="flex flex-wrap items-center gap-x-4 gap-y-1 border-t border-line px-3 py-2 text-quiet">
        {error && (
          <p role="alert" className="text-warn">
            {error instanceof NotFoundError
              ? 'This service cannot list scorers: it has no /objs/query. References can be pasted.'
              : `The scorers could not be read. ${error.message}`}
          </p>
        )}
        {brokenCount > 0 && <p className="text-warn">{brokenCount} could not be read.</p>}
        {!error && <Checkbox label="Older versions" checked={hasOlder} onChange={({ target }) => setHasOlder(target.checked)} />}
        {hasOlder && all.isFetching && <output>Reading…</output>}
      </div>
    </div>
  )
}

function toOption(projectId: string, version: ReceivedObject): PickerOption {
  const spec = parseAnnotationSpec(version.val)
  const answer = spec ? describeAnswer(spec.fieldSchema) : version.base_object_class === annotationSpecClass ? '' : 'run by code'
  return {
    id: toScorerRef(projectId, version),
    label: formatVisibleText(version.object_id),
    aside: [formatVersion(version), answer].filter(Boolean).join(' · '),
    detail: formatVisibleText(spec?.description ?? ''),
  }
}

function toTypedOption(ref: string, detail = ''): PickerOption {
  const parts = parseScorerRef(ref)
  return typeof parts === 'string'
    ? { id: ref, label: formatVisibleText(ref), detail }
    : {
        id: ref,
        label: formatVisibleText(`${decodeScorerName(parts.name)} ${shortenVersion(parts.version)}`),
        aside: formatVisibleText(`${parts.entity}/${parts.project}`),
        detail,
      }
}

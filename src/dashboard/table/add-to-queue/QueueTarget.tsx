import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import * as z from 'zod/mini'
import { maxQueueNameLength } from '../../../contract/limits'
import { queryQueueStats } from '../../../contract/queue-items'
import { streamQueues } from '../../../contract/queues'
import type { ReceivedObject } from '../../../contract/received-objects'
import { decodeScorerName, parseScorerRef } from '../../../contract/scorer-ref'
import { useConnection } from '../../client/connection-context'
import { endpointQuery } from '../../client/endpoint-query'
import { useVersionByRef } from '../../client/object-versions'
import { streamQuery } from '../../client/stream-query'
import { formatQuantity } from '../../format/count'
import { ForeignText } from '../../format/ForeignText'
import { RefVersion } from '../../format/RefVersion'
import { describeInvisible } from '../../format/visible-text'
import { Checkbox } from '../../ui/Checkbox'
import { Field, FieldNote } from '../../ui/Field'
import { Radio } from '../../ui/Radio'
import { SearchInput } from '../../ui/SearchInput'
import { Segmented } from '../../ui/Segmented'
import { TextArea, TextInput } from '../../ui/TextInput'
import { useDebouncedText } from '../view/use-debounced-text'
import { ExistingQueue } from './queue-to-fill'
import { suggestScorers } from './suggest-scorers'

export const Target = z.object({
  isNew: z.boolean(),
  /** Without one: as suggested. */
  name: z.optional(z.string()),
  description: z.optional(z.string()),
  /** Without them: the most used one. */
  scorerRefs: z.optional(z.array(z.string())),
  existing: z.optional(ExistingQueue),
  search: z.string(),
})
export type Target = z.infer<typeof Target>

type Props = {
  target: Target
  onChange: (change: Partial<Target>) => void
  suggestion: { name: string; description: string }
  /** What is missing, once somebody tried to send. */
  problem: string | undefined
}

/** The queue that calls are added to: a new one, or one that exists. */
export function QueueTarget({ target, onChange, suggestion, problem }: Props) {
  return (
    <fieldset className="flex min-w-0 flex-col gap-3">
      <legend className="mb-2 font-semibold">Which queue</legend>
      <Segmented
        label="Queue"
        className="self-start"
        value={target.isNew ? 'new' : 'existing'}
        options={[
          { value: 'new', label: 'A new queue' },
          { value: 'existing', label: 'An existing queue' },
        ]}
        onChange={(next) => onChange({ isNew: next === 'new' })}
      />
      {target.isNew ? (
        <>
          <Field label="Name" error={problem} warning={describeInvisible(target.name ?? suggestion.name)}>
            {(control) => (
              <TextInput
                {...control}
                maxLength={maxQueueNameLength}
                value={target.name ?? suggestion.name}
                onChange={({ currentTarget }) => onChange({ name: currentTarget.value })}
              />
            )}
          </Field>
          <Field label="Description" isOptional>
            {(control) => (
              <TextArea
                {...control}
                rows={1}
                value={target.description ?? suggestion.description}
                onChange={({ currentTarget }) => onChange({ description: currentTarget.value })}
              />
            )}
          </Field>
          <Scorers target={target} onChange={onChange} />
        </>
      ) : (
        <ExistingQueues target={target} onChange={onChange} problem={problem} />
      )}
    </fieldset>
  )
}

const latestQueueCount = 50

/** The scorers of a new queue: those that the latest queues use. */
export function useSuggestedScorers() {
  const connection = useConnection()
  const { data } = useQuery(streamQuery(streamQueues, { project_id: connection.projectId, limit: latestQueueCount }, connection))
  const suggested = suggestScorers(data?.rows ?? [])
  return { suggested, defaults: suggested.slice(0, 1).map(({ ref }) => ref) }
}

function Scorers({ target, onChange }: Pick<Props, 'target' | 'onChange'>) {
  const { suggested, defaults } = useSuggestedScorers()
  const versions = useVersionByRef(suggested.map(({ ref }) => ref))
  const chosen = target.scorerRefs ?? defaults
  if (suggested.length === 0) {
    return <p className="text-quiet">No queue of this project has a scorer to suggest. Add scorers on the page of the queue.</p>
  }
  return (
    <fieldset className="flex min-w-0 flex-col gap-1">
      <legend>
        Scorers <span className="text-xs text-quiet">of the latest queues; add others on the page of the queue</span>
      </legend>
      {suggested.map(({ ref, queueCount }) => (
        <Checkbox
          key={ref}
          label={
            <>
              <span className="break-all">
                <ScorerName scorerRef={ref} version={versions.get(ref)} />
              </span>{' '}
              <span className="text-xs whitespace-nowrap text-quiet">{formatQuantity(queueCount, 'queue')}</span>
            </>
          }
          title={ref}
          checked={chosen.includes(ref)}
          onChange={({ target: { checked } }) =>
            onChange({ scorerRefs: checked ? [...chosen, ref] : chosen.filter((each) => each !== ref) })
          }
        />
      ))}
    </fieldset>
  )
}

function ScorerName({ scorerRef, version }: { scorerRef: string; version: ReceivedObject | undefined }) {
  const parts = parseScorerRef(scorerRef)
  if (typeof parts === 'string') return <ForeignText text={scorerRef} />
  return (
    <>
      <ForeignText text={decodeScorerName(parts.name)} />{' '}
      <span className="text-quiet">
        <RefVersion scorerRef={scorerRef} version={version} />
      </span>
    </>
  )
}

const maxListed = 20

function ExistingQueues({ target, onChange, problem }: Pick<Props, 'target' | 'onChange' | 'problem'>) {
  const connection = useConnection()
  const group = useId()
  const { projectId } = connection
  const [search, setSearch] = useDebouncedText(target.search, (text) => onChange({ search: text }))
  const list = streamQuery(
    streamQueues,
    { project_id: projectId, limit: maxListed, ...(target.search !== '' && { name: target.search }) },
    connection,
  )
  const { data, error } = useQuery({ ...list, placeholderData: keepPreviousData })
  const found = data?.rows ?? []
  const { existing } = target
  // The queue to fill may be none of the latest.
  const isMissing = existing && data && target.search === '' && !found.some(({ id }) => id === existing.id)
  const queues = isMissing ? [existing, ...found] : found
  const ids = queues.map(({ id }) => id)
  const { data: stats } = useQuery({
    ...endpointQuery(queryQueueStats, { project_id: projectId, queue_ids: ids }, connection),
    enabled: ids.length > 0 && data?.isComplete === true,
  })
  const sizes = new Map(stats?.stats.map(({ queue_id: id, total_items: total }) => [id, total]))
  return (
    <div className="flex min-w-0 flex-col gap-2">
      <SearchInput label="Find a queue by name" value={search} onChange={setSearch} />
      <div role="radiogroup" aria-label="Queues" className="max-h-52 min-h-8 overflow-y-auto rounded-md border border-line">
        {queues.map(({ id, name }) => (
          <label
            key={id}
            className="flex min-h-8 cursor-pointer items-center gap-2 px-2 hover:bg-hover has-checked:bg-selected has-focus-visible:inset-shadow-mark"
          >
            <Radio
              name={group}
              choice={id}
              value={existing?.id}
              onChoose={() => onChange({ existing: { id, name } })}
              className="size-3.5 shrink-0 cursor-pointer accent-accent"
            />
            <span className="own-line min-w-0 flex-1 truncate">
              <ForeignText text={name} />
            </span>
            <span className="text-xs whitespace-nowrap text-quiet tabular-nums">
              {sizes.has(id) && formatQuantity(sizes.get(id) ?? 0, 'item')}
            </span>
          </label>
        ))}
        {queues.length === 0 && (
          <p className="px-2 py-1 text-quiet">
            {error ? `The queues could not be read. ${error.message}` : data ? 'No queue has this name.' : 'Reading the queues…'}
          </p>
        )}
      </div>
      {found.length === maxListed && <p className="text-xs text-quiet">The latest {maxListed}. Type to find others.</p>}
      <FieldNote error={problem} />
    </div>
  )
}

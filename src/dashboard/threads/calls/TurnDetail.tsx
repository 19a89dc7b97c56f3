import { useQuery } from '@tanstack/react-query'
import { type KeyboardEvent, useRef, useState } from 'react'
import { useConnection } from '../../client/connection-context'
import type { Growing } from '../../client/growing-query'
import { formatCount, formatQuantity } from '../../format/count'
import { formatDuration } from '../../format/duration'
import { formatRelativeTime } from '../../format/relative-time'
import { FailureActions, formatFailure } from '../../table/grid/Failure'
import { Banner } from '../../ui/Banner'
import { IconButton } from '../../ui/IconButton'
import { Skeleton } from '../../ui/Skeleton'
import type { CallTree } from './call-tree'
import { callTreeQuery, maxListedCalls, maxTreeCalls } from './call-tree-query'
import { TurnAnswers } from './CallAnswers'
import { CallDetail, type Opening } from './CallDetail'
import { TreeTools } from './TreeTools'
import { useCriticalPath } from './use-critical-path'
import { useTreeView } from './use-tree-view'
import { usePickedCalls } from '../pick/use-picked-calls'
import { useWidth } from './use-width'
import { Waterfall } from './Waterfall'

type Props = {
  /** The trace of the turn, '' where it is not known. Only services that have no trees need it. */
  traceId: string
  turnId: string
  /** The open call, '' where none is. It belongs in the address. */
  callId: string
  /** '' closes the open call. */
  onOpenCall: (callId: string) => void
}

/** What happened in a turn: its calls as a waterfall, and the details of one of them. */
export function TurnDetail({ traceId, turnId, callId, onOpenCall }: Props) {
  const connection = useConnection()
  const { data, dataUpdatedAt, error, isFetching, refetch } = useQuery(callTreeQuery({ turnId, traceId }, connection))
  if (data && data.whole.size > 0) {
    return (
      // Another turn starts with a view of its own.
      <Calls
        key={turnId}
        data={data}
        readAt={dataUpdatedAt}
        error={error}
        isFetching={isFetching}
        refetch={refetch}
        turnId={turnId}
        callId={callId}
        onOpenCall={onOpenCall}
      />
    )
  }
  if (error) {
    return (
      <Banner
        tone="bad"
        className="m-4"
        title="The calls of this turn could not be read"
        actions={<FailureActions error={error} refetch={refetch} />}
      >
        {formatFailure(error)}
      </Banner>
    )
  }
  return isFetching ? (
    <output aria-label="Reading the calls of this turn" className="flex flex-col gap-3 px-4 py-4">
      <Skeleton className="h-4 w-48" />
      <Skeleton className="h-4 w-72" />
      <Skeleton className="h-4 w-64" />
    </output>
  ) : (
    <p className="px-4 py-4 text-quiet">There are no calls of this turn. They may have been deleted.</p>
  )
}

type CallsProps = Omit<Props, 'traceId'> & {
  data: Growing<CallTree>
  /** When `data` arrived, milliseconds since 1970. */
  readAt: number
  error: Error | null
  isFetching: boolean
  refetch: () => Promise<unknown>
}

/** From here on there is room for the tree and a call beside each other. */
const minSplitWidth = 1000

function Calls({ data, readAt, error, isFetching, refetch, turnId, callId, onOpenCall }: CallsProps) {
  const { whole: tree, isComplete } = data
  const { size } = tree
  const [root, width] = useWidth<HTMLElement>()
  const view = useTreeView(tree, size, callId || turnId)
  const waterfall = useRef<{ focus: () => void }>(null)
  const [opening, setOpening] = useState<Opening>()
  const top = tree.nodes[0]
  const segmentsById = useCriticalPath(isComplete ? top : undefined)
  const criticalMs = (segmentsById.get(callId) ?? []).reduce((sum, { startUs, endUs }) => sum + endUs - startUs, 0) / 1000
  const zeroUs = top?.startUs ?? tree.firstUs
  const scale = { startUs: tree.firstUs, spanUs: Math.max(1, tree.lastUs - tree.firstUs), zeroUs }
  const isRunning = top?.endUs === null
  const reveal = (id: string) => {
    const node = tree.find(id)
    if (node) view.reveal(node)
  }
  const open = (id: string, hasKeyboard: boolean) => {
    reveal(id)
    setOpening({ id, hasKeyboard })
    onOpenCall(id)
  }
  // The address opens calls too, and what is above the tree.
  const [shownId, setShownId] = useState(callId)
  if (callId !== shownId) {
    setShownId(callId)
    reveal(callId)
  }
  const picked = usePickedCalls()
  const pick = (row: number, isRange: boolean) =>
    picked.toggle(
      view.visible.map(({ call }) => call.id),
      row,
      isRange,
    )
  const close = () => {
    onOpenCall('')
    waterfall.current?.focus()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || callId === '') return
    close()
    event.preventDefault()
    // The turn would close too.
    event.stopPropagation()
  }
  return (
    // Escape closes the open call from anywhere inside; every other key belongs to what has the focus.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <section
      ref={root}
      aria-label="Turn"
      onKeyDown={onKeyDown}
      className="turn-detail"
      data-split={(width >= minSplitWidth && callId !== '') || undefined}
    >
      <div className="turn-tree">
        <TreeTools tree={tree} isComplete={isComplete} view={view} onOpen={({ call }) => open(call.id, false)} />
        <Waterfall
          ref={waterfall}
          view={view}
          maxLevel={tree.maxLevel}
          scale={scale}
          segmentsById={segmentsById}
          openId={callId}
          onOpen={(node, hasKeyboard) => open(node.call.id, hasKeyboard)}
          pickedIds={picked.ids}
          onPick={picked.canPick ? pick : undefined}
        />
        <div className="flex flex-wrap items-center gap-x-4 gap-y-1 px-4 py-2 text-quiet">
          <output>{`${formatQuantity(size, 'call')}${isComplete ? '' : isFetching ? ' so far…' : ' read'}`}</output>
          {segmentsById.size > 0 && (
            <span title="From the end of the turn back to its start: at each moment the call that ended last before it">
              <span aria-hidden="true" className="critical-key" />
              {`critical path: ${formatQuantity(segmentsById.size, 'call')}`}
            </span>
          )}
          {tree.earlyCount > 0 && (
            <span className="text-warn">
              {`${formatQuantity(tree.earlyCount, 'call starts', 'calls start')} before the call above: clocks differ`}
            </span>
          )}
          <CutNotes counts={tree.cutCounts} />
          {isRunning && isComplete && (
            <span className="inline-flex items-center gap-1">
              {formatRunning(Math.max(scale.spanUs, readAt * 1000 - zeroUs) / 1000)}
              <IconButton icon="refresh" label="Read this turn again" onClick={() => void refetch()} />
            </span>
          )}
        </div>
        {isComplete && (
          <TurnAnswers
            callIds={tree.nodes.map(({ call }) => call.id)}
            toName={(id) => tree.find(id)?.call.name ?? id}
            onOpen={(id) => open(id, true)}
          />
        )}
        <Notes data={data} error={isFetching ? null : error} refetch={refetch} />
      </div>
      {callId !== '' && (
        <CallDetail
          id={callId}
          node={tree.find(callId)}
          criticalMs={criticalMs}
          turnStartUs={zeroUs}
          opening={opening?.id === callId ? opening : undefined}
          onOpen={(id) => open(id, true)}
          onClose={close}
        />
      )}
    </section>
  )
}

const dayMs = 86_400_000

/** A turn that runs for days has rather lost its end. */
function formatRunning(ms: number): string {
  return ms < dayMs ? `running, ${formatDuration(ms)} so far` : `no end received, started ${formatRelativeTime(ms)}`
}

/** Calls that are not below another although their client names one. */
function CutNotes({ counts: { circle, missing } }: { counts: CallTree['cutCounts'] }) {
  const count = (number: number) => formatQuantity(number, 'call')
  return (
    <>
      {circle > 0 && (
        <span className="text-warn" title="The sender names a call as the parent of one that is above it">
          {`${count(circle)} at the top: the parents form a circle`}
        </span>
      )}
      {missing > 0 && (
        <span className="text-warn" title="It may arrive later, or be in another trace">
          {`${count(missing)} at the top: the call above has not arrived`}
        </span>
      )}
    </>
  )
}

function Notes({ data, error, refetch }: Pick<CallsProps, 'data' | 'error' | 'refetch'>) {
  const { isTruncated, brokenLines, whole } = data
  const limit = formatCount(String(whole.isMadeHere ? maxListedCalls : maxTreeCalls))
  return (
    <>
      {error && (
        <Banner
          tone="warn"
          className="mx-4 mb-2"
          title="Not all calls were read"
          actions={<FailureActions error={error} refetch={refetch} />}
        >
          {formatFailure(error)}
        </Banner>
      )}
      {isTruncated && (
        <Banner tone="info" className="mx-4 mb-2" title={`Only the first ${limit} calls are shown`}>
          {whole.isMadeHere &&
            'This service does not send trees. This one was made of the calls that it lists, and some may be missing in it.'}
        </Banner>
      )}
      {brokenLines.length > 0 && (
        <Banner tone="warn" className="mx-4 mb-2" title={`${brokenLines.length} calls could not be read`}>
          {brokenLines[0]?.reason}
        </Banner>
      )}
    </>
  )
}

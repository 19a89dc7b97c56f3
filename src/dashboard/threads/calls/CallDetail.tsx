import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { useLocation, useSearch } from 'wouter'
import { useConnection } from '../../client/connection-context'
import { formatCount } from '../../format/count'
import { formatDuration, formatFullDuration } from '../../format/duration'
import { ForeignText } from '../../format/ForeignText'
import { formatOpName } from '../../format/op-name'
import { usePreferences } from '../../format/preferences'
import { Time } from '../../format/Time'
import { formatVisibleText } from '../../format/visible-text'
import { FailureActions, formatFailure } from '../../table/grid/Failure'
import { Facts, PanelSection } from '../../table/grid/RowPanel'
import { Banner } from '../../ui/Banner'
import { buttonClass } from '../../ui/button-class'
import { CopyButton } from '../../ui/CopyButton'
import { Icon } from '../../ui/Icon'
import { IconButton } from '../../ui/IconButton'
import { moreIcons } from '../../ui/more-icons'
import { Skeleton } from '../../ui/Skeleton'
import { callQuery } from '../../payload/call-payload'
import { type CallNode, listAncestors } from './call-tree'
import { CallAnswers } from './CallAnswers'
import { CallContent } from './CallContent'
import { countTokens, formatCosts } from './format-spent'
import { getKindLook } from '../../payload/kind-icons'

/** The last call that a person has opened. To open it again makes a new object. */
export type Opening = { id: string; /** The focus goes to it. */ hasKeyboard: boolean }

type Props = {
  id: string
  /** Undefined where the call is not in the tree, as where the tree is cut. */
  node: CallNode | undefined
  /** Milliseconds that the call itself is on the critical path. */
  criticalMs: number
  /** When the turn starts. */
  turnStartUs: number
  /** Undefined where the address opened it. */
  opening: Opening | undefined
  onOpen: (id: string) => void
  onClose: () => void
}

/** Everything about one call. Its content is read when it is opened, and no more of it than is looked at. */
export function CallDetail({ id, node, criticalMs, turnStartUs, opening, onOpen, onClose }: Props) {
  const connection = useConnection()
  const { data, error, isPending, refetch } = useQuery(callQuery(id, connection))
  const heading = useRef<HTMLHeadingElement>(null)
  // Whoever opens a call by keyboard goes on there; with a pointer the tree keeps the focus and its arrow keys. On a phone the
  // call is below what is on screen.
  useEffect(() => {
    if (opening?.hasKeyboard) heading.current?.focus()
    else if (opening) heading.current?.scrollIntoView({ block: 'nearest' })
  }, [opening])
  const name = node?.call.name ?? data?.call?.display_name ?? formatOpName(data?.call?.op_name ?? id)
  return (
    <section aria-label={`Call ${formatVisibleText(name)}`} className="call-detail">
      <header className="flex items-start gap-1 border-b border-line py-2 pr-2 pl-4">
        <div className="min-w-0 flex-1">
          {node && <Path node={node} onOpen={onOpen} />}
          <h3 ref={heading} tabIndex={-1} className="line-clamp-3 font-semibold wrap-anywhere outline-offset-2">
            <ForeignText text={name} />
          </h3>
          {node && <Spent node={node} />}
        </div>
        <NewTabLink />
        <CopyButton label="Copy call id" text={id} />
        <IconButton icon="x" label="Close call (Escape)" onClick={onClose} />
      </header>
      {node && <Figures node={node} criticalMs={criticalMs} turnStartUs={turnStartUs} />}
      {isPending ? (
        <output aria-label="Reading this call" className="block px-4 py-4">
          <Skeleton className="h-4 w-48" />
        </output>
      ) : error ? (
        <Banner
          tone="bad"
          className="m-4"
          title="This call could not be read"
          actions={<FailureActions error={error} refetch={refetch} />}
        >
          {formatFailure(error)}
        </Banner>
      ) : data?.call ? (
        <>
          <CallAnswers callId={id} />
          <CallContent key={id} call={data.call} parts={data.parts} />
        </>
      ) : (
        <p className="px-4 py-4 text-quiet">There is no such call. It may have been deleted.</p>
      )}
    </section>
  )
}

/** The calls above, the turn first; of a long chain the ends. */
function Path({ node, onOpen }: { node: CallNode; onOpen: (id: string) => void }) {
  const ancestors = listAncestors(node)
  const shown = ancestors.length > 4 ? [ancestors[0], undefined, ...ancestors.slice(-2)] : ancestors
  return ancestors.length === 0 ? null : (
    <nav aria-label="Calls above" className="call-path">
      {shown.map((above) =>
        above ? (
          <span key={above.call.id}>
            <button type="button" onClick={() => onOpen(above.call.id)}>
              <ForeignText text={above.call.name} />
            </button>
            <Icon name="chevron-right" />
          </span>
        ) : (
          <span key="more">
            {`${ancestors.length - 3} more`}
            <Icon name="chevron-right" />
          </span>
        ),
      )}
    </nav>
  )
}

/** What people open a call for, before all that must be scrolled to. Tokens and costs are those of the call alone. */
function Spent({ node: { call, startUs, endUs } }: { node: CallNode }) {
  const tokens = countTokens(call)
  const { prompt_tokens: prompt, completion_tokens: completion } = call
  const facts: { name: string; value: string | null; title?: string }[] = [
    { name: 'Duration', value: endUs === null ? 'running' : formatDuration((endUs - startUs) / 1000) },
    { name: 'Model', value: call.model && formatVisibleText(call.model) },
    {
      name: 'Tokens',
      value: tokens === null ? null : `${formatCount(String(prompt))} in, ${formatCount(String(completion))} out`,
      title: 'Prompt and completion tokens of this call alone',
    },
    {
      name: 'Cost',
      value: formatCosts(call.costs) ?? (tokens === null ? null : 'no price'),
      title: 'Of this call alone',
    },
  ]
  return (
    <dl className="fact-line">
      {facts.map(
        ({ name, value, title }) =>
          value !== null && (
            <div key={name} title={title}>
              <dt>{name}</dt>
              <dd>
                <bdi>{value}</bdi>
              </dd>
            </div>
          ),
      )}
    </dl>
  )
}

/** The address names the open call, so it is the link to it. */
function NewTabLink() {
  const [path] = useLocation()
  const search = useSearch()
  return (
    <a
      href={`${path}${search && `?${search}`}`}
      target="_blank"
      rel="noopener"
      aria-label="Open this call in a new tab"
      title="Open this call in a new tab"
      className={`${buttonClass('quiet')} w-7 px-0`}
    >
      <Icon name={moreIcons.link} />
    </a>
  )
}

function Figures({ node, criticalMs, turnStartUs }: Pick<Props, 'criticalMs' | 'turnStartUs'> & { node: CallNode }) {
  const { call, startUs, endUs, earlyUs } = node
  const { zone } = usePreferences()
  const totalMs = endUs === null ? null : (endUs - startUs) / 1000
  const statuses = {
    success: 'succeeded',
    error: 'failed',
    descendant_error: 'succeeded, a call below it failed',
    running: 'running',
  }
  const facts = [
    { name: 'Kind', value: getKindLook(call.kind).label },
    { name: 'Status', value: statuses[call.status] },
    { name: 'Start', value: <Time iso={call.started_at} zone={zone} /> },
    { name: 'After the start of the turn', value: formatFullDuration((startUs - turnStartUs) / 1000) },
    { name: 'Total time', value: totalMs === null ? 'running' : formatFullDuration(totalMs) },
    { name: 'Self time', value: call.self_ms === null ? '—' : formatFullDuration(call.self_ms) },
    ...(criticalMs > 0 ? [{ name: 'On the critical path', value: formatFullDuration(criticalMs) }] : []),
  ]
  return (
    <PanelSection title="Figures">
      <Facts facts={facts} />
      {earlyUs > 0 && (
        <p className="mt-2 text-warn">
          {`It starts ${formatDuration(earlyUs / 1000)} before the call above it: the clocks of their machines differ. It is drawn where its own clock puts it.`}
        </p>
      )}
    </PanelSection>
  )
}

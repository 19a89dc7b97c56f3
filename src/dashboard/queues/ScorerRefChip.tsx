import type { KeyboardEvent } from 'react'
import { decodeScorerName } from '../../contract/scorer-ref'
import { RefVersion } from '../format/RefVersion'
import { formatVisibleText } from '../format/visible-text'
import { Icon } from '../ui/Icon'
import { toneIcons, toneText } from '../ui/tone'
import { isBad, type ScorerRefState, stateTones } from './scorers/scorer-ref-state'

type Props = {
  id: string
  scorerRef: ScorerRefState
  isTabStop: boolean
  onFocus: () => void
  onEdit: () => void
  onKeyDown: (event: KeyboardEvent) => void
  onRemove: () => void
}

export function ScorerRefChip({ id, scorerRef, isTabStop, onFocus, onEdit, onKeyDown, onRemove }: Props) {
  const { parts, state } = scorerRef
  const text = formatVisibleText(scorerRef.text)
  const reason = scorerRef.reason && formatVisibleText(scorerRef.reason)
  const name = parts && formatVisibleText(decodeScorerName(parts.name))
  const project = parts && formatVisibleText(`${parts.entity}/${parts.project}`)
  const tone = stateTones[state]
  return (
    <div
      className={`flex max-w-full items-start rounded-[4px] ${isBad(scorerRef) ? 'bg-bad-soft' : 'bg-sunken'} forced-colors:border`}
    >
      <button
        id={id}
        type="button"
        tabIndex={isTabStop ? 0 : -1}
        title={reason ? `${text}\n${reason}` : text}
        aria-label={`${parts ? `${name} ${formatVisibleText(parts.version)} of ${project}` : text}: ${state}. ${reason ?? ''}`}
        onFocus={onFocus}
        onClick={onEdit}
        onKeyDown={onKeyDown}
        className="group flex min-h-6 min-w-0 flex-1 cursor-text items-start gap-1.5 rounded-[4px] py-0.5 pl-1.5 text-left"
      >
        <Icon name={toneIcons[tone]} className={`mt-0.75 size-3.5 ${toneText[tone]}`} />
        {parts ? (
          <span className="flex min-w-0 flex-wrap gap-x-1.5">
            <span className="min-w-0 break-all text-text">
              <bdi>{name}</bdi>{' '}
              <span className="text-quiet">
                <RefVersion scorerRef={scorerRef.text} version={scorerRef.version} />
              </span>
            </span>
            <bdi className={`min-w-0 break-all ${state === 'other project' ? 'text-warn' : 'text-quiet'}`}>{project}</bdi>
            {state !== 'ok' && state !== 'other project' && <span className={toneText[tone]}>{state}</span>}
            {isBad(scorerRef) && <span className="w-full text-bad">{reason}</span>}
          </span>
        ) : (
          <span className="min-w-0">
            <bdi className="font-mono text-xs break-all">{text}</bdi>
            <span className="block text-bad">{reason}</span>
          </span>
        )}
      </button>
      <button
        type="button"
        tabIndex={-1}
        aria-label={`Remove ${text}`}
        onClick={onRemove}
        className="flex size-6 shrink-0 cursor-pointer items-center justify-center rounded-[4px] text-quiet hover:bg-hover hover:text-text"
      >
        <Icon name="x" className="size-3.5" />
      </button>
    </div>
  )
}

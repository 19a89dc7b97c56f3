import type { CallStatus } from '../../../contract/calls'
import { Icon, type IconName } from '../../ui/Icon'
import { toneText, type Tone } from '../../ui/tone'

const looks: Record<CallStatus, { icon: IconName; tone: Tone; text: string }> = {
  success: { icon: 'check', tone: 'good', text: 'succeeded' },
  error: { icon: 'error', tone: 'bad', text: 'failed' },
  descendant_error: { icon: 'warning', tone: 'warn', text: 'a call failed' },
  running: { icon: 'clock', tone: 'info', text: 'running' },
}

export function formatStatus(status: CallStatus | null): string {
  return status === null ? 'unknown' : looks[status].text
}

/** The status as an icon, with its text where it is not the usual one. Readers get the text always. */
export function TurnStatus({ status, hasText = false }: { status: CallStatus | null; hasText?: boolean }) {
  if (status === null) return hasText ? '—' : null
  const { icon, tone, text } = looks[status]
  const isTextShown = hasText || status !== 'success'
  return (
    <span className={`inline-flex shrink-0 items-center gap-1 ${toneText[tone]}`} title={text}>
      <Icon name={icon} className="size-3.5" />
      <span className={isTextShown ? '' : 'sr-only'}>{text}</span>
    </span>
  )
}

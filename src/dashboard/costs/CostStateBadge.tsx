import { Icon, type IconName } from '../ui/Icon'
import type { CostState } from './records/cost-states'
import { moreIcons } from '../ui/more-icons'

const looks: Record<CostState, { icon: IconName; className: string }> = {
  current: { icon: 'check', className: 'text-good' },
  scheduled: { icon: 'clock', className: 'text-accent' },
  early: { icon: 'warning', className: 'text-warn' },
  shadowed: { icon: moreIcons.eyeOff, className: 'text-warn' },
  superseded: { icon: 'minus', className: 'text-faint' },
}

export function CostStateBadge({ state }: { state: CostState | undefined }) {
  if (!state) return <span className="text-faint">—</span>
  const { icon, className } = looks[state]
  return (
    <span className={`inline-flex items-center gap-1.5 align-middle ${className}`}>
      <Icon name={icon} className="size-3" />
      <span className={state === 'superseded' ? '' : 'text-text'}>{state}</span>
    </span>
  )
}

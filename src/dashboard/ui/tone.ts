import type { IconName } from './Icon'

/** The meaning of a state. Each tone has an icon, because colour alone must not carry the meaning. */
export type Tone = 'neutral' | 'info' | 'good' | 'warn' | 'bad'

export const toneIcons: Record<Exclude<Tone, 'neutral'>, IconName> = {
  info: 'info',
  good: 'check',
  warn: 'warning',
  bad: 'error',
}

export const toneText: Record<Tone, string> = {
  neutral: 'text-quiet',
  info: 'text-accent',
  good: 'text-good',
  warn: 'text-warn',
  bad: 'text-bad',
}

export const toneSurface: Record<Tone, string> = {
  neutral: 'bg-sunken',
  info: 'bg-accent-soft',
  good: 'bg-good-soft',
  warn: 'bg-warn-soft',
  bad: 'bg-bad-soft',
}

export type ButtonVariant = 'primary' | 'plain' | 'quiet' | 'danger'

const base =
  'inline-flex h-7 shrink-0 cursor-pointer items-center justify-center gap-1.5 rounded-md border px-2.5 whitespace-nowrap select-none ' +
  'transition-colors aria-disabled:cursor-default aria-disabled:opacity-55 disabled:cursor-default disabled:opacity-55'

const looks: Record<ButtonVariant, string> = {
  primary: 'border-transparent bg-accent font-semibold text-on-accent not-aria-disabled:hover:bg-accent-hover',
  plain: 'border-line-strong bg-surface text-text not-aria-disabled:hover:bg-hover',
  quiet: 'border-transparent text-quiet not-aria-disabled:hover:bg-hover not-aria-disabled:hover:text-text',
  danger: 'border-line-strong bg-surface text-bad not-aria-disabled:hover:border-bad not-aria-disabled:hover:bg-bad-soft',
}

/** The classes of a button, also for links that look like one. */
export function buttonClass(variant: ButtonVariant = 'plain'): string {
  return `${base} ${looks[variant]}`
}

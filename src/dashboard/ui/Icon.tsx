// Drawn on a 16 px grid with a 1.4 px line to match 13 px text. One path for each icon.
const paths = {
  'arrow-down': 'M8 3v10M4 9l4 4 4-4',
  'arrow-left': 'M13 8H3M7 4 3 8l4 4',
  'arrow-right': 'M3 8h10M9 4l4 4-4 4',
  'arrow-up': 'M8 13V3M4 7l4-4 4 4',
  check: 'M3 8.5 6.5 12 13 4.5',
  'chevron-down': 'M4 6l4 4 4-4',
  'chevron-left': 'M10 4 6 8l4 4',
  'chevron-right': 'M6 4l4 4-4 4',
  clock: 'M8 2.5a5.5 5.5 0 1 0 0 11 5.5 5.5 0 1 0 0-11ZM8 5v3.2l2.2 1.3',
  connection: 'M5.5 2.5v3M10.5 2.5v3M4 5.5h8V8a4 4 0 0 1-8 0ZM8 12v2',
  copy: 'M5.5 5.5h8v8h-8zM10.5 5.5v-3h-8v8h3',
  costs: 'M8.5 2.5h5v5l-6 6-5-5ZM11 5h.01',
  error: 'M8 2.5a5.5 5.5 0 1 0 0 11 5.5 5.5 0 1 0 0-11ZM6 6l4 4M10 6l-4 4',
  filter: 'M2.5 3.5h11L9.5 8.5v4.5l-3-1.5v-3Z',
  info: 'M8 2.5a5.5 5.5 0 1 0 0 11 5.5 5.5 0 1 0 0-11ZM8 7.5v3.5M8 5.2h.01',
  minus: 'M3.5 8h9',
  plus: 'M8 3.5v9M3.5 8h9',
  queues: 'M2.5 9.5 4.5 3h7l2 6.5v4h-11ZM2.5 9.5H6a2 2 0 0 0 4 0h3.5',
  refresh: 'M13 6A5.3 5.3 0 0 0 3.3 5.5M3 10a5.3 5.3 0 0 0 9.7.5M13.5 2.5V6H10M2.5 13.5V10H6',
  search: 'M7 2.5a4.5 4.5 0 1 0 0 9 4.5 4.5 0 1 0 0-9ZM10.3 10.3l3.2 3.2',
  stop: 'M4 4h8v8H4z',
  threads: 'M2.5 3h8v5h-5L2.5 10ZM8 10.5h2.5l3 2.5V6H13',
  warning: 'M8 2.5 14 13.5H2ZM8 6.5v3.5M8 11.8h.01',
  x: 'M4 4l8 8M12 4l-8 8',
} as const

/** A name, or a path of `moreIcons`. */
export type IconName = keyof typeof paths | `M${string}`

/** Always decorative: the text or label beside it carries the meaning. */
export function Icon({ name, className = '' }: { name: IconName; className?: string }) {
  return (
    <svg
      viewBox="0 0 16 16"
      width="16"
      height="16"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.4"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      className={`shrink-0 ${className}`}
    >
      <path d={name in paths ? paths[name as keyof typeof paths] : name} />
    </svg>
  )
}

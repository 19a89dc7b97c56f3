// Drawn on a 16 px grid with a 1.5 px line, so that they sit with 13 px text. One `d` an icon keeps the set small.
const paths = {
  'arrow-down': 'M8 3v10M4 9l4 4 4-4',
  'arrow-left': 'M13 8H3M7 4 3 8l4 4',
  'arrow-right': 'M3 8h10M9 4l4 4-4 4',
  'arrow-up': 'M8 13V3M4 7l4-4 4 4',
  calendar: 'M3 4.5h10v8.5H3zM3 7.5h10M5.5 2.5v3M10.5 2.5v3',
  check: 'M3 8.5 6.5 12 13 4.5',
  'chevron-down': 'M4 6l4 4 4-4',
  'chevron-left': 'M10 4 6 8l4 4',
  'chevron-right': 'M6 4l4 4-4 4',
  'chevron-up': 'M4 10l4-4 4 4',
  clock: 'M8 2.5a5.5 5.5 0 1 0 0 11 5.5 5.5 0 1 0 0-11ZM8 5v3.2l2.2 1.3',
  columns: 'M2.5 3h11v10h-11zM6.2 3v10M9.8 3v10',
  connection: 'M5.5 2.5v3M10.5 2.5v3M4 5.5h8V8a4 4 0 0 1-8 0ZM8 12v2',
  copy: 'M5.5 5.5h8v8h-8zM10.5 5.5v-3h-8v8h3',
  costs: 'M8.5 2.5h5v5l-6 6-5-5ZM11 5h.01',
  density: 'M2.5 3.5h11M2.5 6.5h11M2.5 9.5h11M2.5 12.5h11',
  dots: 'M3.5 7.5a.5.5 0 1 0 0 1 .5.5 0 1 0 0-1ZM8 7.5a.5.5 0 1 0 0 1 .5.5 0 1 0 0-1ZM12.5 7.5a.5.5 0 1 0 0 1 .5.5 0 1 0 0-1Z',
  download: 'M8 2.5v7.5M4.5 6.5 8 10l3.5-3.5M2.5 13.5h11',
  edit: 'M3 13l.6-2.8L10.8 3l2.2 2.2-7.2 7.2ZM9.3 4.5l2.2 2.2',
  error: 'M8 2.5a5.5 5.5 0 1 0 0 11 5.5 5.5 0 1 0 0-11ZM6 6l4 4M10 6l-4 4',
  'eye-off':
    'M3 3l10 10M6.2 4C6.7 3.6 7.4 3.5 8 3.5 12 3.5 14.5 8 14.5 8a12 12 0 0 1-1.8 2.3M4 5.2A11 11 0 0 0 1.5 8S4 12.5 8 12.5c.9 0 1.7-.2 2.4-.6',
  file: 'M4 2.5h5l3.5 3.5v7.5H4ZM9 2.5V6h3.5',
  filter: 'M2.5 3.5h11L9.5 8.5v4.5l-3-1.5v-3Z',
  help: 'M8 2.5a5.5 5.5 0 1 0 0 11 5.5 5.5 0 1 0 0-11ZM6.3 6.5a1.7 1.7 0 1 1 2.5 1.5c-.6.3-.8.6-.8 1.2M8 11.2h.01',
  info: 'M8 2.5a5.5 5.5 0 1 0 0 11 5.5 5.5 0 1 0 0-11ZM8 7.5v3.5M8 5.2h.01',
  link: 'M7 9a2.8 2.8 0 0 0 4 0l2-2a2.8 2.8 0 0 0-4-4l-.8.8M9 7a2.8 2.8 0 0 0-4 0L3 9a2.8 2.8 0 0 0 4 4l.8-.8',
  lock: 'M3.5 7.5h9v6h-9zM5.5 7.5v-2a2.5 2.5 0 0 1 5 0v2',
  minus: 'M3.5 8h9',
  monitor: 'M2.5 3h11v7.5h-11zM8 10.5v3M5.5 13.5h5',
  moon: 'M13.5 9.5A5.5 5.5 0 0 1 6.5 2.5 5.5 5.5 0 1 0 13.5 9.5Z',
  pin: 'M6 2.5h4M6.5 2.5v4l-2 2.5h7l-2-2.5v-4M8 9v4.5',
  plus: 'M8 3.5v9M3.5 8h9',
  queues: 'M2.5 9.5 4.5 3h7l2 6.5v4h-11ZM2.5 9.5H6a2 2 0 0 0 4 0h3.5',
  refresh: 'M13 6A5.3 5.3 0 0 0 3.3 5.5M3 10a5.3 5.3 0 0 0 9.7.5M13.5 2.5V6H10M2.5 13.5V10H6',
  search: 'M7 2.5a4.5 4.5 0 1 0 0 9 4.5 4.5 0 1 0 0-9ZM10.3 10.3l3.2 3.2',
  server: 'M2.5 3h11v4h-11zM2.5 9h11v4h-11zM5 5h.01M5 11h.01',
  sort: 'M5 13V3M2.5 5.5 5 3l2.5 2.5M11 3v10M8.5 10.5 11 13l2.5-2.5',
  stop: 'M4 4h8v8H4z',
  sun: 'M8 5.5a2.5 2.5 0 1 0 0 5 2.5 2.5 0 1 0 0-5ZM8 1.5v1M8 13.5v1M1.5 8h1M13.5 8h1M3.4 3.4l.7.7M11.9 11.9l.7.7M3.4 12.6l.7-.7M11.9 4.1l.7-.7',
  threads: 'M2.5 3h8v5h-5L2.5 10ZM8 10.5h2.5l3 2.5V6H13',
  trash: 'M3 4.5h10M6 4.5v-2h4v2M4.2 4.5l.6 9h6.4l.6-9M6.8 7v4M9.2 7v4',
  undo: 'M5.5 3 2.5 6l3 3M2.5 6H9a4 4 0 0 1 0 7.5H6',
  warning: 'M8 2.5 14 13.5H2ZM8 6.5v3.5M8 11.8h.01',
  width: 'M2.5 3v10M13.5 3v10M4.5 8h7M6.5 6l-2 2 2 2M9.5 6l2 2-2 2',
  x: 'M4 4l8 8M12 4l-8 8',
} as const

export type IconName = keyof typeof paths

/** Always decoration: what it stands for is said by the text or the label beside it. */
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
      <path d={paths[name]} />
    </svg>
  )
}

/** The icons that the first script does not need. A module of the first script must not import them: they would move there. */
export const moreIcons = {
  calendar: 'M3 4.5h10v8.5H3zM3 7.5h10M5.5 2.5v3M10.5 2.5v3',
  chevronUp: 'M4 10l4-4 4 4',
  density: 'M2.5 3.5h11M2.5 6.5h11M2.5 9.5h11M2.5 12.5h11',
  dots: 'M3.5 7.5a.5.5 0 1 0 0 1 .5.5 0 1 0 0-1ZM8 7.5a.5.5 0 1 0 0 1 .5.5 0 1 0 0-1ZM12.5 7.5a.5.5 0 1 0 0 1 .5.5 0 1 0 0-1Z',
  file: 'M4 2.5h5l3.5 3.5v7.5H4ZM9 2.5V6h3.5',
  help: 'M8 2.5a5.5 5.5 0 1 0 0 11 5.5 5.5 0 1 0 0-11ZM6.3 6.5a1.7 1.7 0 1 1 2.5 1.5c-.6.3-.8.6-.8 1.2M8 11.2h.01',
  link: 'M7 9a2.8 2.8 0 0 0 4 0l2-2a2.8 2.8 0 0 0-4-4l-.8.8M9 7a2.8 2.8 0 0 0-4 0L3 9a2.8 2.8 0 0 0 4 4l.8-.8',
  lock: 'M3.5 7.5h9v6h-9zM5.5 7.5v-2a2.5 2.5 0 0 1 5 0v2',
  monitor: 'M2.5 3h11v7.5h-11zM8 10.5v3M5.5 13.5h5',
  moon: 'M13.5 9.5A5.5 5.5 0 0 1 6.5 2.5 5.5 5.5 0 1 0 13.5 9.5Z',
  server: 'M2.5 3h11v4h-11zM2.5 9h11v4h-11zM5 5h.01M5 11h.01',
  sun: 'M8 5.5a2.5 2.5 0 1 0 0 5 2.5 2.5 0 1 0 0-5ZM8 1.5v1M8 13.5v1M1.5 8h1M13.5 8h1M3.4 3.4l.7.7M11.9 11.9l.7.7M3.4 12.6l.7-.7M11.9 4.1l.7-.7',
  trash: 'M3 4.5h10M6 4.5v-2h4v2M4.2 4.5l.6 9h6.4l.6-9M6.8 7v4M9.2 7v4',
} as const

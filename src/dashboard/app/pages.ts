import type { IconName } from '../ui/Icon'

/** The places of the rail, in its order; `key` follows `g`. */
export const pages = [
  { path: '/costs', name: 'Costs', icon: 'costs', key: 'c' },
  { path: '/threads', name: 'Threads', icon: 'threads', key: 't' },
  { path: '/queues', name: 'Queues', icon: 'queues', key: 'q' },
  { path: '/send', name: 'Send data', icon: 'M8 10V2.5M5 5.5l3-3 3 3M2.5 9v4.5h11V9', key: 's' },
  { path: '/connection', name: 'Connection', icon: 'connection', key: 'n' },
] as const satisfies readonly { path: string; name: string; icon: IconName; key: string }[]

/** The page a path belongs to. */
export function findPage(path: string) {
  return pages.find((page) => path === page.path || path.startsWith(`${page.path}/`)) ?? (path === '/' ? pages[0] : undefined)
}

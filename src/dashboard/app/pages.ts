import type { ComponentType } from 'react'
import type { IconName } from '../ui/Icon'

export type Page = {
  /** A pattern of wouter: `:id` is a parameter. */
  path: string
  title: string
  /** Sections are the pages of the rail. `shortcut` is the key to press after `g`. */
  section?: { icon: IconName; shortcut: string }
  load: () => Promise<ComponentType>
}

/** Every page. The router, the rail, the command palette and the keyboard help read this list. */
export const pages: readonly Page[] = [
  {
    path: '/costs',
    title: 'Costs',
    section: { icon: 'costs', shortcut: 'c' },
    load: async () => (await import('../costs/CostsPage')).CostsPage,
  },
  {
    path: '/threads',
    title: 'Threads',
    section: { icon: 'threads', shortcut: 't' },
    load: async () => (await import('../threads/ThreadsPage')).ThreadsPage,
  },
  { path: '/threads/:id', title: 'Thread', load: async () => (await import('../threads/ThreadPage')).ThreadPage },
  { path: '/calls/:id', title: 'Call', load: async () => (await import('../threads/CallPage')).CallPage },
  {
    path: '/queues',
    title: 'Queues',
    section: { icon: 'queues', shortcut: 'q' },
    load: async () => (await import('../queues/QueuesPage')).QueuesPage,
  },
  { path: '/queues/new', title: 'New queue', load: async () => (await import('../queues/NewQueuePage')).NewQueuePage },
  { path: '/queues/:id', title: 'Queue', load: async () => (await import('../queues/QueuePage')).QueuePage },
  { path: '/queues/:id/review', title: 'Review', load: async () => (await import('../queues/review/ReviewPage')).ReviewPage },
  {
    path: '/send',
    title: 'Send data',
    section: { icon: 'M8 10V2.5M5 5.5l3-3 3 3M2.5 9v4.5h11V9', shortcut: 's' },
    load: async () => (await import('../setup/SetupPage')).SetupPage,
  },
  {
    path: '/connection',
    title: 'Connection',
    section: { icon: 'connection', shortcut: 'n' },
    load: async () => (await import('../connection/ConnectionPage')).ConnectionPage,
  },
]

export const sections = pages.flatMap(({ path, title, section }) => (section ? [{ path, title, ...section }] : []))

/** The section that a path belongs to: `/queues/new` belongs to `/queues`. */
export function findSection(path: string) {
  return sections.find((section) => path === section.path || path.startsWith(`${section.path}/`))
}

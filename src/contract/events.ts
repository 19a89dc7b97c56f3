import * as z from 'zod/mini'
import { defineEndpoint } from './endpoint'
import { ProjectId } from './project-id'
import { strictRequest } from './request'

/** What may have changed: what `threads`, `queues` and `costs` (spend and prices) return is to be asked for again. */
export const eventTopics = ['threads', 'queues', 'costs'] as const
export type EventTopic = (typeof eventTopics)[number]

/**
 * Server-sent events (https://html.spec.whatwg.org/multipage/server-sent-events.html) that say that something of a project
 * changed, never what. The first is `ready`: what is asked for from then on, or told by an event, is complete. The others are
 * named after a topic. A client that was interrupted sends the last id as `Last-Event-ID` and is told what it missed. The
 * stream ends now and then; connect again. A Spool extension.
 */
export const streamEvents = defineEndpoint({
  method: 'GET',
  path: '/events',
  request: strictRequest({ project_id: ProjectId }),
  response: z.string(),
  places: { project_id: 'query' },
})

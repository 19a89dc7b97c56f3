import { streamEvents } from '../../contract/events'
import { eventRoute, type Route } from '../http/route'
import type { EventHub } from './event-hub'

export function eventRoutes(events: EventHub): Route[] {
  return [
    eventRoute(streamEvents, async ({ project_id: projectId }, { user, header, reader }) =>
      events.open(projectId, { username: user.username, lastEventId: header('last-event-id'), reader }),
    ),
  ]
}

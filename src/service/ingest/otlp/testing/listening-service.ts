import { createServer } from 'node:http'
import { getRequestListener } from '@hono/node-server'
import * as z from 'zod/mini'
import { drain, listen } from '../../../listen'
import { administrator, basic, parseJsonLines, openTestApp } from '../../../testing/test-app'

const ReadSpan = z.object({ id: z.string(), op_name: z.string() })

/** The real service on a free port, for exporters configured by environment variables. */
export async function openListeningService() {
  const service = await openTestApp()
  const seen: { url: string | undefined; headers: NodeJS.Dict<string | string[]> }[] = []
  const answer = getRequestListener(service.app.fetch)
  const server = createServer((request, response) => {
    seen.push({ url: request.url, headers: request.headers })
    void answer(request, response)
  })
  const url = await listen(server, '127.0.0.1', 0)
  return {
    url,
    /** URL and headers of each request so far. */
    seen,
    credentials: basic(administrator),
    /** The calls that the API returns, ordered by start. */
    spans: async (projectId: string) => {
      const sort_by = [{ field: 'started_at', direction: 'asc' }]
      const response = await service.post('/calls/stream_query', { project_id: projectId, sort_by })
      return parseJsonLines(await response.text()).map((line) => z.parse(ReadSpan, line))
    },
    threads: async (projectId: string) =>
      parseJsonLines(
        await (
          await service.post('/threads/stream_query', {
            project_id: projectId,
            sort_by: [{ field: 'thread_id', direction: 'asc' }],
          })
        ).text(),
      ),
    close: async () => {
      await drain(server, 1000)
      await service.close()
    },
  }
}

import { createServer } from 'node:http'
import { getRequestListener } from '@hono/node-server'
import * as z from 'zod/mini'
import { drain, listen } from '../../../listen'
import { administrator, basic, parseJsonLines, openTestApp } from '../../../testing/test-app'

const ReadSpan = z.object({
  id: z.string(),
  parent_id: z.nullable(z.string()),
  thread_id: z.nullable(z.string()),
  turn_id: z.nullable(z.string()),
  op_name: z.string(),
  inputs: z.unknown(),
  output: z.unknown(),
  summary: z.record(z.string(), z.unknown()),
})

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
      const response = await service.post('/calls/stream_query', { project_id: projectId, sort_by, include_costs: true })
      return parseJsonLines(await response.text()).map((line) => z.parse(ReadSpan, line))
    },
    setPrice: (projectId: string, model: string, prices: { prompt_token_cost: number; completion_token_cost: number }) =>
      service.post('/cost/create', { project_id: projectId, costs: { [model]: prices } }),
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

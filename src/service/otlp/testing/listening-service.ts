import { createServer } from 'node:http'
import { getRequestListener } from '@hono/node-server'
import * as z from 'zod/mini'
import { drain, listen } from '../../listen'
import { administrator, basic, linesOf, openTestApp } from '../../testing/test-app'

/** JSON as it is stored; '' is nothing. */
const Stored = z.pipe(
  z.string(),
  z.transform((json): unknown => (json === '' ? undefined : JSON.parse(json))),
)

const StoredSpan = z.object({
  id: z.string(),
  parent_id: z.string(),
  thread_id: z.string(),
  op_name: z.string(),
  inputs: Stored,
  output: Stored,
  summary: Stored,
})

/** The real service on a free port, for exporters that know nothing of it but what environment variables tell them. */
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
    /** Address and headers of each request so far. */
    seen,
    credentials: basic(administrator),
    spans: (projectId: string) =>
      service.place.store.query(
        `SELECT id, parent_id, thread_id, op_name, inputs, output, summary FROM calls FINAL
         WHERE project_id = {project_id:String} ORDER BY started_at, op_name`,
        { project_id: projectId },
        StoredSpan,
      ),
    threads: async (projectId: string) =>
      linesOf(
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

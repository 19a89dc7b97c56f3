import { expect } from 'playwright/test'
import { SpoolClient } from '../spool-client'
import { SpoolService } from '../spool-service'
import { fault } from './fault'

const secret = 'hunter2secret'

fault(
  'failing requests that carry a secret in every field',
  'the log from info up names the failures and never the secret',
  async () => {
    const service = await SpoolService.start({ SPOOL_SAMPLE: 'off', SPOOL_USERNAME: 'me', SPOOL_PASSWORD: secret })
    let log = ''
    service.child.stderr?.on('data', (chunk: Buffer) => (log += chunk.toString()))
    const client = new SpoolClient(service.url, 'me', secret)
    const call = { project_id: `${secret}/${secret}`, id: secret, trace_id: secret, op_name: secret, started_at: secret }
    const field = { $getField: `inputs.${secret}` }
    const requests: [string, unknown][] = [
      [`/${secret}/call/start`, { start: call }],
      [`/v2/${secret}/${secret}/call/${secret}`, call],
      ['/call/start', { start: { ...call, [secret]: secret } }],
      ['/call/end', secret],
      [
        '/call/upsert_batch',
        {
          batch: [
            { mode: 'start', req: { start: call } },
            { mode: secret, req: call },
          ],
        },
      ],
      ['/call/read', { project_id: secret, id: secret }],
      [
        '/calls/stream_query',
        { project_id: secret, query: { $expr: { $gt: [{ $convert: { input: field, to: secret } }, { $literal: secret }] } } },
      ],
      [
        '/calls/stream_query',
        { project_id: secret, sort_by: [{ field: `inputs.${secret}'\\"`, direction: 'asc' }], filter: { call_ids: [secret] } },
      ],
      [
        '/calls/query_stats',
        { project_id: secret, query: { $expr: { $contains: { input: field, substr: { $literal: secret } } } } },
      ],
      ['/threads/stream_query', { project_id: secret, after_datetime: secret }],
      ['/cost/create', { project_id: secret, costs: { [secret]: { prompt_token_cost: secret } } }],
      ['/obj/read', { project_id: secret, object_id: secret, digest: secret }],
      ['/table/query', { project_id: secret, digest: secret }],
      ['/session/redeem', { code: secret }],
      ['/otel/v1/traces', { resourceSpans: secret }],
      ['/otel/v1/logs', { resourceLogs: secret }],
    ]
    try {
      for (const [path, body] of requests) {
        await (await client.post(path, body, { 'x-request-id': secret, cookie: `spool_session=${secret}` })).text()
        await (await client.post(`${path}?token=${secret}`, body, { authorization: `Bearer ${secret}${secret}` })).text()
      }
      await expect.poll(() => log.match(/"msg":"request failed"/g)?.length ?? 0).toBeGreaterThan(10)
    } finally {
      await service.stop()
    }
    expect(log).not.toContain(secret)
  },
)

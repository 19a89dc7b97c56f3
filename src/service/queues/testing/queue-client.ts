import { expect } from 'vitest'
import { toAnnotationType } from '../../../contract/annotation-spec'
import type { QueueItem } from '../../../contract/queue-items'
import type { QueueResults } from '../../../contract/queue-results'
import type { UserWithPassword } from '../../auth/users'
import { administrator, type TestApp } from '../../testing/test-app'

export type Person = Pick<UserWithPassword, 'username' | 'password'>

/** Users who may see every project, by these names. */
export function toPeople(...names: readonly string[]): (UserWithPassword & { projects: '*' })[] {
  return names.map((username) => ({ username, password: `${username}-secret`, projects: '*' }))
}

export type Reply<Body> = { status: number; body: Body; types: string[] }

/** What people do with the annotation queues of one project. */
export class QueueClient {
  constructor(
    private readonly service: TestApp,
    readonly projectId: string,
  ) {}

  async send<Body = unknown>(path: string, fields: object = {}, user: Person = administrator): Promise<Reply<Body>> {
    const response = await this.service.post(path, { project_id: this.projectId, ...fields }, user)
    const body = (await response.json()) as Body & { detail?: { type: string }[] } // the app checks it by the contract
    return { status: response.status, body, types: (body.detail ?? []).map(({ type }) => type) }
  }

  /** The body of a reply that must be 200. */
  async get<Body>(path: string, fields: object = {}, user: Person = administrator): Promise<Body> {
    const { status, body } = await this.send<Body>(path, fields, user)
    expect(status, JSON.stringify(body)).toBe(200)
    return body
  }

  async createQueue(fields: object = {}): Promise<string> {
    return (await this.get<{ id: string }>('/annotation_queues', { name: 'q', scorer_refs: [], ...fields })).id
  }

  /** Writes finished calls; the start of each is a second after that of the one before. Returns their ids. */
  async writeCalls(count: number, from = 0): Promise<string[]> {
    const ids = Array.from({ length: count }, (_, index) => (from + index + 1).toString(16).padStart(16, '0'))
    const parts = ids.flatMap((id, index) => {
      const startedAt = new Date(Date.UTC(2026, 0, 1) + index * 1000).toISOString()
      const own = { project_id: this.projectId, id }
      const start = { ...own, trace_id: id + id, op_name: 'answer', started_at: startedAt, attributes: {}, inputs: { index } }
      return [
        { mode: 'start', req: { start } },
        { mode: 'end', req: { end: { ...own, ended_at: startedAt, summary: {}, output: 'x' } } },
      ]
    })
    for (let start = 0; start < parts.length; start += 2000) {
      const response = await this.service.post('/call/upsert_batch', { batch: parts.slice(start, start + 2000) })
      expect(response.status).toBe(200)
    }
    return ids
  }

  async add(queueId: string, callIds: readonly string[], fields: object = {}) {
    return await this.get<{ added_count: number; duplicates: number; unknown_call_ids: string[] }>(
      `/annotation_queues/${queueId}/items`,
      { call_ids: callIds, display_fields: [], ...fields },
    )
  }

  async items(queueId: string, fields: object = {}): Promise<QueueItem[]> {
    return (await this.get<{ items: QueueItem[] }>(`/annotation_queues/${queueId}/items/query`, fields)).items
  }

  async next(queueId: string, user: Person) {
    return await this.get<{ item: QueueItem | null; lease_expires_at?: string; open_count: number }>(
      `/annotation_queues/${queueId}/next`,
      {},
      user,
    )
  }

  async lease(queueId: string, itemId: string, user: Person, fields: object = {}) {
    return await this.send<{ item: QueueItem; lease_expires_at: string }>(
      `/annotation_queues/${queueId}/items/${itemId}/lease`,
      fields,
      user,
    )
  }

  async release(queueId: string, itemId: string, user: Person): Promise<Reply<{ item: QueueItem }>> {
    return await this.send(`/annotation_queues/${queueId}/items/${itemId}/release`, {}, user)
  }

  async mark(queueId: string, itemId: string, state: string, user: Person): Promise<Reply<{ item: QueueItem }>> {
    return await this.send(`/annotation_queues/${queueId}/items/${itemId}/progress`, { annotation_state: state }, user)
  }

  async stats(...queueIds: string[]): Promise<(number | string)[][]> {
    type Stats = { stats: { queue_id: string; total_items: number; completed_items: number }[] }
    const { stats } = await this.get<Stats>('/annotation_queues/stats', { queue_ids: queueIds })
    return stats.map(({ queue_id: id, total_items: total, completed_items: completed }) => [id, total, completed])
  }

  async results(queueId: string, fields: object = {}): Promise<QueueResults> {
    return await this.get(`/annotation_queues/${queueId}/results`, fields)
  }

  /** Makes an annotation spec and returns the reference to this version. */
  async createSpec(name: string, fieldSchema: object): Promise<string> {
    const obj = {
      project_id: this.projectId,
      object_id: name,
      val: { name, field_schema: fieldSchema },
      builtin_object_class: 'AnnotationSpec',
    }
    const { digest } = await this.get<{ digest: string }>('/obj/create', { obj })
    return `weave:///${this.projectId}/object/${name}:${digest}`
  }

  async answer(queueId: string, callId: string, specRef: string, value: unknown, user: Person): Promise<Reply<{ id: string }>> {
    return await this.send(
      '/feedback/create',
      {
        weave_ref: `weave:///${this.projectId}/call/${callId}`,
        feedback_type: toAnnotationType(/\/([^/:]+):[^/:]+$/.exec(specRef)?.[1] ?? ''),
        annotation_ref: specRef,
        payload: { value },
        queue_id: queueId,
      },
      user,
    )
  }

  /** Answers and completes an item. */
  async review(queueId: string, item: QueueItem, answers: Readonly<Record<string, unknown>>, user: Person): Promise<QueueItem> {
    for (const [ref, value] of Object.entries(answers)) {
      const { status, body } = await this.answer(queueId, item.call_id, ref, value, user)
      expect(status, JSON.stringify(body)).toBe(200)
    }
    const { status, body } = await this.mark(queueId, item.id, 'completed', user)
    expect(status, JSON.stringify(body)).toBe(200)
    return body.item
  }
}

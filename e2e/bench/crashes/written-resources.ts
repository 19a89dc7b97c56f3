import { createHash, randomUUID } from 'node:crypto'
import * as z from 'zod/mini'
import { compareIds, type Mistakes, readPages, type WrittenKind } from './written-kind'

const purge = (projectId: string, ids: readonly string[]) =>
  JSON.stringify({ project_id: projectId, query: { $expr: { $in: [{ $getField: 'id' }, ids.map((id) => ({ $literal: id }))] } } })

const CreatedCosts = z.object({ ids: z.array(z.tuple([z.string(), z.string()])) })
const Costs = z.object({ results: z.array(z.object({ id: z.string(), llm_id: z.string() })) })

/** Prices. Each request writes a new row, so one without a reply is not sent again. */
export function writtenCosts(projectId: string): WrittenKind {
  const created = new Map<string, string>()
  const purged = new Set<string>()
  let count = 0
  return {
    name: 'prices',
    weight: 2,
    count: () => created.size + purged.size,
    next: () => {
      const [old] = created
      if (old && created.size > 5 && Math.random() < 0.3) {
        created.delete(old[0])
        return {
          path: '/cost/purge',
          body: purge(projectId, [old[0]]),
          acknowledge: () => purged.add(old[0]),
          isRepeatable: true,
        }
      }
      const costs = { [`model-${(count += 1)}`]: { prompt_token_cost: 0.000001, completion_token_cost: 0.000002 } }
      return {
        path: '/cost/create',
        body: JSON.stringify({ project_id: projectId, costs }),
        acknowledge: (reply) => {
          for (const [id, model] of z.parse(CreatedCosts, JSON.parse(reply)).ids) created.set(id, model)
        },
        isRepeatable: false,
      }
    },
    check: async (client) => {
      const query = { $expr: { $contains: { input: { $getField: 'llm_id' }, substr: { $literal: 'model-' } } } }
      const rows = await readPages(async (range) => {
        const sort_by = [{ field: 'id', direction: 'asc' }]
        const page = await client.postJson('/cost/query', { project_id: projectId, query, sort_by, ...range })
        return z.parse(Costs, page).results.filter(({ id }) => !id.startsWith('catalog:'))
      })
      const found = compareIds(
        rows.map(({ id }) => id),
        created.keys(),
        purged,
      )
      return { ...found, wrong: found.wrong + rows.length - new Set(rows.map((row) => row.llm_id)).size }
    },
  }
}

/** Annotation queues. A request without a reply is sent again under the same idempotency key. */
export function writtenQueues(projectId: string): WrittenKind {
  const acknowledged = new Map<string, string>()
  let count = 0
  return {
    name: 'queues',
    weight: 2,
    count: () => acknowledged.size,
    next: () => {
      const name = `queue-${(count += 1)}`
      return {
        path: '/annotation_queues',
        body: JSON.stringify({ project_id: projectId, name, scorer_refs: [] }),
        headers: { 'idempotency-key': name },
        acknowledge: (reply) => acknowledged.set(name, z.parse(z.object({ id: z.string() }), JSON.parse(reply)).id),
        isRepeatable: true,
      }
    },
    check: async (client) => {
      const rows = await client.postLines('/annotation_queues/query', { project_id: projectId })
      const names = rows.map((row) => String(row['name']))
      return addMistakes(
        compareIds(
          rows.map((row) => String(row['id'])),
          acknowledged.values(),
        ),
        compareIds(names, acknowledged.keys()),
      )
    },
  }
}

const FeedbackList = z.object({ result: z.array(z.object({ id: z.string() })) })

export function writtenFeedback(projectId: string): WrittenKind {
  const created = new Set<string>()
  const purged = new Set<string>()
  const build = (id: string) => ({
    project_id: projectId,
    id,
    weave_ref: `weave:///${projectId}/call/${id}`,
    feedback_type: 'note',
    payload: { note: id },
  })
  return {
    name: 'feedback',
    weight: 3,
    count: () => created.size + purged.size,
    next: () => {
      const [old] = created
      if (old !== undefined && created.size > 5 && Math.random() < 0.3) {
        created.delete(old)
        return { path: '/feedback/purge', body: purge(projectId, [old]), acknowledge: () => purged.add(old), isRepeatable: true }
      }
      const ids = Array.from({ length: 1 + Math.floor(Math.random() * 5) }, () => randomUUID())
      const [first = ''] = ids
      const acknowledge = () => {
        for (const id of ids) created.add(id)
      }
      return ids.length === 1
        ? { path: '/feedback/create', body: JSON.stringify(build(first)), acknowledge, isRepeatable: true }
        : { path: '/feedback/batch/create', body: JSON.stringify({ batch: ids.map(build) }), acknowledge, isRepeatable: true }
    },
    check: async (client) => {
      const rows = await readPages(async (range) => {
        const sort_by = [{ field: 'id', direction: 'asc' }]
        return z.parse(FeedbackList, await client.postJson('/feedback/query', { project_id: projectId, sort_by, ...range }))
          .result
      })
      return compareIds(
        rows.map(({ id }) => id),
        created,
        purged,
      )
    },
  }
}

const ObjectList = z.object({ objs: z.array(z.object({ object_id: z.string(), digest: z.string(), val: z.unknown() })) })
const WithDigest = z.object({ digest: z.string() })

/** Objects with a few versions each. A deleted one is not written again. */
export function writtenObjects(projectId: string): WrittenKind {
  const created = new Map<string, number>()
  const deleted = new Set<string>()
  let count = 0
  return {
    name: 'object versions',
    weight: 3,
    count: () => created.size + deleted.size,
    next: () => {
      const [old] = created
      if (old && created.size > 20 && Math.random() < 0.3) {
        const [objectId = '', digest = ''] = old[0].split(':')
        created.delete(old[0])
        const body = JSON.stringify({ project_id: projectId, object_id: objectId, digests: [digest] })
        // A deletion that was stored without a reply cannot be repeated: the version is unknown then.
        return { path: '/obj/delete', body, acknowledge: () => deleted.add(old[0]), isRepeatable: false }
      }
      const version = (count += 1)
      const objectId = `object-${version >> 2}`
      const body = JSON.stringify({ obj: { project_id: projectId, object_id: objectId, val: { version } } })
      const acknowledge = (reply: string) => created.set(`${objectId}:${z.parse(WithDigest, JSON.parse(reply)).digest}`, version)
      return { path: '/obj/create', body, acknowledge, isRepeatable: true }
    },
    check: async (client) => {
      const rows = await readPages(async (range) => {
        const sort_by = [{ field: 'object_id', direction: 'asc' }]
        return z.parse(ObjectList, await client.postJson('/objs/query', { project_id: projectId, sort_by, ...range })).objs
      })
      const keys = rows.map(({ object_id, digest }) => `${object_id}:${digest}`)
      const changed = rows.filter(({ val }, index) => {
        const version = created.get(keys[index] ?? '')
        return version !== undefined && JSON.stringify(val) !== JSON.stringify({ version })
      })
      const found = compareIds(keys, created.keys(), deleted)
      return { ...found, wrong: found.wrong + changed.length }
    },
  }
}

const TableRows = z.object({ rows: z.array(z.object({ val: z.object({ row: z.string() }) })) })

export function writtenTables(projectId: string): WrittenKind {
  const acknowledged = new Map<string, string[]>()
  let count = 0
  return {
    name: 'tables',
    weight: 1,
    count: () => acknowledged.size,
    next: () => {
      const number = (count += 1)
      const rows = Array.from({ length: 20 }, (_, index) => `row ${index} of ${number}`)
      return {
        path: '/table/create',
        body: JSON.stringify({ table: { project_id: projectId, rows: rows.map((row) => ({ row })) } }),
        acknowledge: (reply) => acknowledged.set(z.parse(WithDigest, JSON.parse(reply)).digest, rows),
        isRepeatable: true,
      }
    },
    check: (client) =>
      checkEach(acknowledged, async (digest, rows) => {
        const response = await client.post('/table/query', { project_id: projectId, digest })
        if (response.status !== 200) return 'missing'
        const stored = z.parse(TableRows, await response.json()).rows.map(({ val }) => val.row)
        return JSON.stringify(stored) === JSON.stringify(rows) ? 'right' : 'wrong'
      }),
  }
}

const boundary = 'a-boundary-of-the-bench'

export function writtenFiles(projectId: string): WrittenKind {
  const acknowledged = new Map<string, string>()
  let count = 0
  return {
    name: 'files',
    weight: 1,
    count: () => acknowledged.size,
    next: () => {
      const content = `file ${(count += 1)} `.repeat(1000)
      const field = (name: string, value: string) =>
        `--${boundary}\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`
      return {
        path: '/file/create',
        body: `${field('project_id', projectId)}${field('file"; filename="a.txt', content)}--${boundary}--\r\n`,
        contentType: `multipart/form-data; boundary=${boundary}`,
        acknowledge: (reply) => acknowledged.set(z.parse(WithDigest, JSON.parse(reply)).digest, sha256(content)),
        isRepeatable: true,
      }
    },
    check: (client) =>
      checkEach(acknowledged, async (digest, hash) => {
        const response = await client.post('/file/content', { project_id: projectId, digest })
        if (response.status !== 200) return 'missing'
        return sha256(await response.text()) === hash ? 'right' : 'wrong'
      }),
  }
}

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

async function checkEach<T>(
  acknowledged: ReadonlyMap<string, T>,
  checkOne: (digest: string, expected: T) => Promise<'right' | 'missing' | 'wrong'>,
): Promise<Mistakes> {
  const mistakes = { missing: 0, wrong: 0 }
  for (const [digest, expected] of acknowledged) {
    const result = await checkOne(digest, expected)
    if (result !== 'right') mistakes[result] += 1
  }
  return mistakes
}

function addMistakes(left: Mistakes, right: Mistakes): Mistakes {
  return { missing: left.missing + right.missing, wrong: left.wrong + right.wrong }
}

import * as z from 'zod/mini'
import { SavedView, type ViewPage } from '../../contract/views'
import { msToEngineTime } from '../store/engine-time'
import { count, engineTime } from '../store/row-types'
import { type Sql, sql } from '../store/sql'
import type { QueryOptions, Store, WriteOptions } from '../store/store'

const ViewRow = z.extend(SavedView, { updated_at: engineTime, version: count })
/** A view, and when it was changed last, in milliseconds since 1970: its version. */
export type ViewRow = z.infer<typeof ViewRow>

/** The views of a project, by page and name. */
export async function listViews(
  store: Store,
  projectId: string,
  page: ViewPage | undefined,
  options: QueryOptions,
): Promise<ViewRow[]> {
  const isOfPage = page === undefined ? sql`1` : sql`page = ${page}`
  return await store.query(sql`${selectViews(projectId)} AND ${isOfPage} ORDER BY page, name, id`, ViewRow, options)
}

function selectViews(projectId: string): Sql {
  return sql`SELECT id, page, name, state, created_by, updated_at, version
FROM views FINAL
WHERE project_id = ${projectId} AND is_deleted = 0`
}

/** Stores a view as it is from `version` on, over what is stored of it. */
export async function insertView(
  store: Store,
  projectId: string,
  view: Omit<ViewRow, 'updated_at'>,
  options: WriteOptions & { isDeleted?: boolean },
): Promise<void> {
  const updated_at = msToEngineTime(view.version)
  const row = { ...view, project_id: projectId, updated_at, is_deleted: options.isDeleted ? 1 : 0 }
  await store.insert('views', [row], { share: options.share })
}

import { formatInstant } from '../../contract/instant'
import {
  createView,
  deleteView,
  maxViewsPerProject,
  queryViews,
  type SavedView,
  updateView,
  type ViewPage,
} from '../../contract/views'
import { HttpError } from '../http/http-error'
import { type RequestReader, type Route, route } from '../http/route'
import { KeyedMutex } from '../lib/keyed-mutex'
import type { Store } from '../store/store'
import { insertView, listViews, type ViewRow } from './view-store'

export type ViewDeps = { store: Store; clock: () => number; newId: () => string }

export function viewRoutes({ store, clock, newId }: ViewDeps): Route[] {
  // What a change is checked against must not change before it is stored. Copies of the service over one server have a mutex
  // each: of two changes within the same milliseconds there the last one holds.
  const mutex = new KeyedMutex()
  const change = async <T>(projectId: string, reader: RequestReader, toResult: (views: readonly ViewRow[]) => Promise<T>) =>
    await mutex.run(projectId, async () => await toResult(await listViews(store, projectId, undefined, reader)))

  return [
    route(
      createView,
      async ({ project_id: projectId, page, name, state }, { user, reader }) =>
        change(projectId, reader, async (views) => {
          if (views.length >= maxViewsPerProject) throw tooManyViews()
          requireFreeName(views, { page, name, id: '' })
          const view = { id: newId(), page, name, state, created_by: user.username, version: clock() }
          await insertView(store, projectId, view, reader)
          return { view: toView(view) }
        }),
      { readsCalls: false },
    ),

    route(
      queryViews,
      async ({ project_id: projectId, page }, { reader }) => ({
        views: (await listViews(store, projectId, page, reader)).map(toView),
      }),
      { readsCalls: false },
    ),

    route(
      updateView,
      async ({ project_id: projectId, view_id: id, updated_at: knownAt, name, state }, { reader }) =>
        change(projectId, reader, async (views) => {
          const current = requireView(views, id)
          if (current.updated_at !== knownAt) throw changedSince(current)
          const view = {
            ...current,
            name: name ?? current.name,
            state: state ?? current.state,
            version: nextVersion(current, clock()),
          }
          requireFreeName(views, view)
          await insertView(store, projectId, view, reader)
          return { view: toView(view) }
        }),
      { readsCalls: false },
    ),

    route(
      deleteView,
      async ({ project_id: projectId, view_id: id }, { reader }) =>
        change(projectId, reader, async (views) => {
          const current = requireView(views, id)
          const version = nextVersion(current, clock())
          await insertView(store, projectId, { ...current, version }, { ...reader, isDeleted: true })
          return {}
        }),
      { readsCalls: false },
    ),
  ]
}

/** Above the last one, also after the clock was set back. */
function nextVersion(current: ViewRow, nowMs: number): number {
  return Math.max(nowMs, current.version + 1)
}

function toView({ version, ...view }: Omit<ViewRow, 'updated_at'>): SavedView {
  return { ...view, updated_at: formatInstant(BigInt(version) * 1000n) }
}

function requireView(views: readonly ViewRow[], id: string): ViewRow {
  const view = views.find((each) => each.id === id)
  if (view) return view
  throw new HttpError('not_found', { loc: ['body', 'view_id'], msg: 'This project has no such view.', type: 'not_found' })
}

function requireFreeName(views: readonly ViewRow[], { page, name, id }: { page: ViewPage; name: string; id: string }): void {
  if (!views.some((view) => view.page === page && view.name === name && view.id !== id)) return
  const msg = 'This page has a view with this name. Choose another name, or update that view.'
  throw new HttpError('conflict', { loc: ['body', 'name'], msg, type: 'name_taken' })
}

function changedSince({ updated_at }: ViewRow): HttpError {
  const msg = `Somebody has changed this view since, at ${updated_at}. Read it again before you change it.`
  return new HttpError('conflict', { loc: ['body', 'updated_at'], msg, type: 'changed_since' })
}

function tooManyViews(): HttpError {
  const msg = `A project has at most ${maxViewsPerProject} views. Delete one first.`
  return new HttpError('conflict', { loc: ['body'], msg, type: 'too_many_views' })
}

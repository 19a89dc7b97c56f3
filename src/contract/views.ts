import * as z from 'zod/mini'
import { defineEndpoint } from './endpoint'
import { Instant } from './instant'
import { maxIdLength, maxViewNameLength, maxViewStateLength } from './limits'
import { nameOf } from './name'
import { ProjectId } from './project-id'
import { strictRequest } from './request'
import { boundedText, optional, refineAs } from './schema'

/** The pages that have views to keep. */
export const viewPages = ['costs', 'threads', 'queues'] as const
const ViewPage = z.enum(viewPages)
export type ViewPage = z.infer<typeof ViewPage>

export const maxViewsPerProject = 200

/** The query string of a page without its `?`, such as `sort=-turn_count&window=7d`. */
const ViewState = boundedText(maxViewStateLength).check(
  refineAs<string>(
    'value_error',
    (state) => /^(?!\?)[^\s#\p{Cc}]*$/u.test(state),
    "Must be the part of an address behind '?', without it: 'sort=-turn_count&window=7d'. No spaces and no '#'.",
  ),
)
const ViewName = nameOf(maxViewNameLength)

/** A named view of a page, the same for everybody who may see the project. */
export const SavedView = z.object({
  id: z.string(),
  page: ViewPage,
  name: z.string(),
  state: z.string(),
  created_by: z.string(),
  updated_at: Instant,
})
export type SavedView = z.infer<typeof SavedView>

const Changed = z.object({ view: SavedView })

/** Names a view. Views of one page have different names. A Spool extension, as those below. */
export const createView = defineEndpoint({
  path: '/views/create',
  request: strictRequest({ project_id: ProjectId, page: ViewPage, name: ViewName, state: ViewState }),
  response: Changed,
})

/** The views of a project, or of one page, by page and name. */
export const queryViews = defineEndpoint({
  path: '/views/query',
  request: strictRequest({ project_id: ProjectId, page: optional(ViewPage) }),
  response: z.object({ views: z.array(SavedView) }),
})

/**
 * Changes the name, the state or both. `updated_at` is that of the view as the caller knows it: where somebody else has
 * changed the view since, the request is refused, so that nobody's change is lost.
 */
export const updateView = defineEndpoint({
  path: '/views/update',
  request: strictRequest({
    project_id: ProjectId,
    view_id: boundedText(maxIdLength),
    updated_at: Instant,
    name: optional(ViewName),
    state: optional(ViewState),
  }),
  response: Changed,
})

export const deleteView = defineEndpoint({
  path: '/views/delete',
  request: strictRequest({ project_id: ProjectId, view_id: boundedText(maxIdLength) }),
  response: z.object({}),
})

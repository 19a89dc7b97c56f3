import * as z from 'zod/mini'
import type { CreateCosts, PurgeCosts } from './cost-requests'
import type { ClientEndpoint } from './endpoint'

// Pairs of cost id and model. Not z.tuple(): it would be the only one in the first script of every page.
const CreatedCosts = z.object({ ids: z.array(z.array(z.string())) })
const Nothing = z.object({})

/** Records prices. Each is a new row, so that the history of prices stays. */
export const createCosts: ClientEndpoint<typeof CreateCosts, typeof CreatedCosts, false> = {
  method: 'POST',
  path: '/cost/create',
  response: CreatedCosts,
  streams: false,
  places: {},
}

/** Deletes records of the project by id. The catalog cannot be deleted. */
export const purgeCosts: ClientEndpoint<typeof PurgeCosts, typeof Nothing, false> = {
  method: 'POST',
  path: '/cost/purge',
  response: Nothing,
  streams: false,
  places: {},
}

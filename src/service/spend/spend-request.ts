import type * as z from 'zod/mini'
import type { streamSpend } from '../../contract/spend'

export type SpendRequest = z.output<typeof streamSpend.request> & {
  /** Only calls of turns that started between these bounds, themselves excluded. Not on the wire. */
  turnStart?: { after?: string | undefined; before?: string | undefined }
}

import type * as z from 'zod/mini'
import type { streamSpend } from '../../contract/spend'

export type SpendRequest = z.output<typeof streamSpend.request>

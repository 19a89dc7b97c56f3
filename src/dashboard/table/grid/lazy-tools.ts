import { lazyPart } from '../../client/lazy-part'
import type { ColumnMenu as LoadedColumnMenu } from './ColumnMenu'
import type { TableTools as LoadedTableTools } from './TableTools'

// 3 kB (gzip) that no first rows need: they load after them, in one file with the shell's tools. lazy() loses the type
// parameters of a component, hence the casts.

export const ColumnMenu = lazyPart(async () => (await import('./ColumnMenu')).ColumnMenu) as unknown as typeof LoadedColumnMenu

export const TableTools = lazyPart(async () => (await import('./TableTools')).TableTools) as unknown as typeof LoadedTableTools

export const SelectionActions = lazyPart(async () => (await import('./SelectionActions')).SelectionActions)

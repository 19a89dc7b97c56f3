import type { Derivation, TurnKey } from './derivation'
import type { DerivationFailure } from './derivation-failure'
import type { Origin } from './pending-work'
import type { ProjectWork } from './project-work'
import type { Quarantined } from './quarantine'

export type Item = { project: ProjectWork; id: string; turnIds: ReadonlySet<string> }

/** Calls, or threads with changed turns, that are derived together. */
export type Batch = {
  readonly kind: 'call' | 'thread'
  readonly items: readonly Item[]
  readonly projects: ReadonlyMap<string, ProjectWork>
  readonly itemCounts: ReadonlyMap<ProjectWork, number>
  derivation: Derivation | undefined
  /** Set for calls or threads that have failed. */
  readonly suspect: { attempts: number; cause: DerivationFailure['cause'] } | undefined
}

export function toBatch(kind: Batch['kind'], items: readonly Item[], suspect?: Batch['suspect']): Batch {
  const projects = new Map(items.map(({ project }) => [project.id, project]))
  const itemCounts = new Map<ProjectWork, number>()
  for (const { project } of items) itemCounts.set(project, (itemCounts.get(project) ?? 0) + 1)
  return { kind, items, projects, itemCounts, derivation: undefined, suspect }
}

/** What the items cost a statement: each is a call, or a thread with its changed turns. */
export function countRows(items: readonly Item[]): number {
  return items.reduce((sum, { turnIds }) => sum + Math.max(1, turnIds.size), 0)
}

export function originOf(batch: Batch, project: ProjectWork): Origin {
  return project.suspects?.get(batch) ?? project.round?.origin ?? project.pending.origin
}

/** Puts the items back into the rounds that they were taken from. */
export function returnItems({ kind, items }: Batch): void {
  for (const { project, id, turnIds } of items) {
    if (kind === 'call') project.round?.addCalls([id], project.round.origin)
    else project.round?.addTurns(id, turnIds, project.round.origin)
  }
}

/** Changed turns of a round belong to it; those of suspects wait for the next one. */
export function addChangedTurns(batch: Batch, turns: readonly TurnKey[]): void {
  for (const turn of turns) {
    const project = batch.projects.get(turn.project_id)
    if (!project) continue
    const work = batch.suspect ? project.pending : (project.round ?? project.pending)
    work.addTurns(turn.thread_id, [turn.id], originOf(batch, project))
  }
}

export function toQuarantined(kind: Batch['kind'], { project, id }: Item): Quarantined {
  return { kind, project_id: project.id, id }
}

import { earliest, type Origin, PendingWork } from './pending-work'

type Waiter = { upTo: number; resolve: () => void; reject: (error: unknown) => void }

/**
 * What is to be derived of one project, and how its steps went so far. One request may bring work for thousands of projects, so the
 * maps and sets that few of them need are created at their first use.
 */
export type ProjectWork = {
  readonly id: string
  /** What waits for the next round. */
  pending: PendingWork
  /** What is being derived. */
  round: PendingWork | undefined
  roundMs: number
  /** Whether a step of the round is queued as a batch or running. */
  isBusy: boolean
  /** Batches of calls or threads that failed with others and are tried apart from the round. */
  suspects: Map<object, Origin> | undefined
  /** Calls that are not derived, wherever they are. */
  openCalls: number
  waiters: Set<Waiter> | undefined
  timer: NodeJS.Timeout | undefined
  delayMs: number
  isSlow: boolean
  maxStepItems: number
  /** How many projects may share a step with it. */
  maxStepProjects: number
  failures: number
  lastFailureMs: number
}

/** Who wants to read ends the delay. */
export const minDelayMs = 500
/** A part of the time of a step does not depend on how many calls it is of: 5000 spans take 1.8 times as long as 2000. */
export const maxStepCalls = 8000
/** The engine takes seconds for a statement with a megabyte of ids. 8000 ids of 36 characters, as SDKs make them, have less. */
export const maxStepIdCharacters = 300_000
/** Of several projects, whose names stand beside the ids. */
export const maxSharedStepCalls = 2000

export function createProjectWork(id: string): ProjectWork {
  return {
    id,
    pending: new PendingWork(),
    round: undefined,
    roundMs: 0,
    isBusy: false,
    suspects: undefined,
    openCalls: 0,
    waiters: undefined,
    timer: undefined,
    delayMs: minDelayMs,
    isSlow: false,
    maxStepItems: maxStepCalls,
    maxStepProjects: maxStepCalls,
    failures: 0,
    lastFailureMs: 0,
  }
}

export function addSuspect(project: ProjectWork, batch: object, origin: Origin): void {
  project.suspects ??= new Map()
  project.suspects.set(batch, origin)
}

export function addWaiter(project: ProjectWork, waiter: Waiter): void {
  project.waiters ??= new Set()
  project.waiters.add(waiter)
}

export function beginRound(project: ProjectWork): void {
  if (project.round) return
  project.round = project.pending
  project.pending = new PendingWork()
}

/** All of the round is pending again. Returns by how many calls both had in common. */
export function returnRound(project: ProjectWork): number {
  const { round, pending } = project
  project.isBusy = false
  if (!round) return 0
  const before = round.callCount + pending.callCount
  round.merge(pending)
  project.pending = round
  project.round = undefined
  return before - round.callCount
}

export function oldestOrigin(project: ProjectWork): Origin {
  const works = [project.pending, ...(project.round ? [project.round] : [])]
  return [...works.map(({ origin }) => origin), ...(project.suspects?.values() ?? [])].reduce(earliest)
}

export function oldestOrder(project: ProjectWork): number {
  return oldestOrigin(project).order
}

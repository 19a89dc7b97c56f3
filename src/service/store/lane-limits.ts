import type { Lane } from './store'
import type { TurnLimits } from './statement-turns'

export type LaneLimits = Readonly<Record<Lane, TurnLimits>>

/** Statements that have begun and whose reader has stalled, beside those that run. */
const maxStalled = 20
const queueLimits = { maxWaiting: 1024, maxWaitingPerShare: 64 }

/** A user never has all places, nor a project of a user all places of the user. */
export function toLaneLimits(maxActive: number): TurnLimits {
  return {
    ...queueLimits,
    maxActive,
    maxActivePerUser: Math.max(1, Math.floor((maxActive * 3) / 4)),
    maxActivePerShare: Math.max(1, Math.floor(maxActive / 2)),
    maxHeld: maxActive + maxStalled,
  }
}

/** The same for scans, each of which keeps a core busy: a user gets half of the cores. */
export function toScanLimits(cores: number): TurnLimits {
  const maxActivePerUser = Math.max(1, Math.floor(cores / 2))
  const maxActive = cores + 1
  return { ...queueLimits, maxActive, maxActivePerUser, maxActivePerShare: maxActivePerUser, maxHeld: maxActive + maxStalled }
}

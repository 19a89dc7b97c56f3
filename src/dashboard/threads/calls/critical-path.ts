import type { CallNode } from './call-tree'

/** A time in which a call itself, and none of its children, decided when the turn ended. */
export type PathSegment = { node: CallNode; startUs: number; endUs: number }

type Step = {
  node: CallNode
  /** Children that may have ended last, the latest end first. */
  candidates: readonly CallNode[]
  next: number
  /** What of the call is not explained yet: from `floorUs` to `untilUs`. */
  floorUs: number
  untilUs: number
}

/**
 * The critical path: the chain of calls that decided when the turn ended, from its start to its end without a gap. From the end
 * of a call it goes to the child that ended last before it, through that child to its start, and on from there. What a child
 * did after the end of its parent decided nothing. [] while the turn runs. It yields after each step, so that a large tree can be
 * walked in several tasks.
 */
export function* findCriticalPath(turn: CallNode): Generator<undefined, PathSegment[], void> {
  if (turn.endUs === null) return []
  const segments: PathSegment[] = []
  const add = (node: CallNode, startUs: number, endUs: number) => {
    if (endUs > startUs) segments.push({ node, startUs, endUs })
  }
  // A stack of its own: a chain of 100,000 calls would overflow that of the engine.
  const steps: Step[] = [toStep(turn, turn.startUs, turn.endUs)]
  for (let step = steps.at(-1); step; step = steps.at(-1)) {
    yield
    const child = takeLastEnded(step)
    if (child && child.endUs !== null) {
      add(step.node, child.endUs, step.untilUs)
      // With clocks that differ, a child may start before its parent.
      const floorUs = Math.max(child.startUs, step.floorUs)
      step.untilUs = floorUs
      steps.push(toStep(child, floorUs, child.endUs))
    } else {
      add(step.node, step.floorUs, step.untilUs)
      steps.pop()
    }
  }
  return segments.toReversed()
}

function toStep(node: CallNode, floorUs: number, untilUs: number): Step {
  const candidates = node.children
    .filter(({ endUs }) => endUs !== null && endUs > floorUs && endUs <= untilUs)
    // Of two that ended together the longer one explains more.
    .toSorted((left, right) => (right.endUs ?? 0) - (left.endUs ?? 0) || left.startUs - right.startUs || left.index - right.index)
  return { node, candidates, next: 0, floorUs, untilUs }
}

function takeLastEnded(step: Step): CallNode | undefined {
  for (let child = step.candidates[step.next]; child; child = step.candidates[step.next]) {
    step.next += 1
    if ((child.endUs ?? Infinity) <= step.untilUs) return child
  }
  return undefined
}

/** What of the path is in each call, by its id. */
export type CriticalPath = ReadonlyMap<string, readonly PathSegment[]>

/** The same grouped by call, in steps too. */
export function* groupCriticalPath(turn: CallNode): Generator<undefined, CriticalPath, void> {
  const segmentsById = new Map<string, PathSegment[]>()
  for (const segment of yield* findCriticalPath(turn)) {
    yield
    const own = segmentsById.get(segment.node.call.id)
    if (own) own.push(segment)
    else segmentsById.set(segment.node.call.id, [segment])
  }
  return segmentsById
}

import type { Batch } from './batch'
import { maxStepCalls } from './project-work'

const minStepItems = 10
/** A step that takes longer counts as slow: its project's next steps run one at a time with other slow ones. */
const slowStepMs = 500

/**
 * Slow steps get smaller: by fewer projects, then by fewer calls. A project that is slow alone goes to the careful lane. On
 * a busy machine every step takes long, so slow means slow beside the typical one.
 */
export class StepSizes {
  /** Near the median of the steps. */
  private typicalMs = 20

  /** Returns whether the step was slow. */
  note(batch: Batch, durationMs: number): boolean {
    const isSlow = durationMs > Math.max(slowStepMs, 10 * this.typicalMs)
    if (batch.suspect) return isSlow
    const isFast = durationMs < Math.max(slowStepMs / 4, 2 * this.typicalMs)
    this.typicalMs = Math.max(1, this.typicalMs * (durationMs > this.typicalMs ? 1.05 : 0.95))
    for (const project of batch.projects.values()) {
      project.roundMs += durationMs / batch.projects.size
      if (batch.projects.size > 1) {
        project.maxStepProjects = resize(project.maxStepProjects, { isSlow, isFast, min: 1 })
      } else {
        project.isSlow = isSlow
        project.maxStepItems = resize(project.maxStepItems, { isSlow, isFast, min: minStepItems })
        if (isFast) project.maxStepProjects = resize(project.maxStepProjects, { isSlow, isFast, min: 1 })
      }
    }
    return isSlow
  }
}

/** Halves or doubles the size of the next steps. */
function resize(size: number, { isSlow, isFast, min }: { isSlow: boolean; isFast: boolean; min: number }): number {
  if (isSlow) return Math.max(min, size >> 1)
  return isFast ? Math.min(maxStepCalls, size * 2) : size
}

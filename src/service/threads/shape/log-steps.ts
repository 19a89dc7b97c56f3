// Steps of logarithmic scales, as round numbers: people filter by them. `from` belongs to a step, `to` does not.

/** 12 a decade, each about 21 % above the one before: the E12 series. */
const fineSteps = [1, 1.2, 1.5, 1.8, 2.2, 2.7, 3.3, 3.9, 4.7, 5.6, 6.8, 8.2]
/** 6 a decade. */
const coarseSteps = [1, 1.5, 2.2, 3.3, 4.7, 6.8]

/** The longest duration that can be stored, four centuries, is in the last. Microseconds of all steps stay below 2^53. */
const durationDecades = [1, 10, 100, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12]

/** Milliseconds. What is faster than one is in the first step. */
export const durationStepsMs: readonly number[] = [0, ...toSteps(fineSteps, durationDecades)]
export const coarseDurationStepsMs: readonly number[] = [0, ...toSteps(coarseSteps, durationDecades)]

/** Whole numbers: small ones have a step each. */
export const countSteps: readonly number[] = [1, 2, 3, 4, 5, 7, ...toSteps(coarseSteps, [10, 100, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8])]

function toSteps(series: readonly number[], decades: readonly number[]): number[] {
  // 2.2 * 1000 is not 2200 in binary fractions.
  return decades.flatMap((decade) => series.map((step) => Number((step * decade).toPrecision(2))))
}

/**
 * The end of the step that begins at `from`. That of the last step is ten times as much: more than a duration or the number of
 * turns in a thread can be.
 */
export function endOfStep(steps: readonly number[], from: number): number {
  return steps[steps.indexOf(from) + 1] ?? from * 10
}

const lateAnswerMs = 80
const longTaskMs = 100
const rememberedMs = 60_000

// Module state: the device is the same for all tables.
let lateUntil = 0

/**
 * Whether clicks and keys are answered late: the device is weak, or busy. Then an answer shows first what costs little, and the
 * rest in a later frame, which on a fast device would only come later.
 */
export function areAnswersLate(): boolean {
  return performance.now() < lateUntil
}

/** Begins to watch how long the browser takes for answers and, while the page loads, for tasks. Call it once. */
export function watchAnswers(): void {
  const observer = new PerformanceObserver((list) => {
    for (const { entryType, name, startTime, duration } of list.getEntries()) {
      const isLate = entryType === 'longtask' ? duration >= longTaskMs : isAnswer(name) && duration >= lateAnswerMs
      if (isLate) lateUntil = Math.max(lateUntil, startTime + rememberedMs)
    }
  })
  for (const type of ['longtask', 'event']) {
    // Some browsers know neither.
    if (PerformanceObserver.supportedEntryTypes.includes(type)) observer.observe({ type, buffered: true })
  }
}

function isAnswer(name: string): boolean {
  return name === 'click' || name === 'keydown'
}

import { useDeferredValue, useState } from 'react'

const lateAnswerMs = 80
// On a fast device the load of a page has no task of 50 ms. On one that is four times slower it has some of 60 ms and more.
const longTaskMs = 60
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

/**
 * Where answers are late, the element of the render before, so that a click is answered first: React skips an element that is
 * the same. Elsewhere the element itself. Not for elements with a field whose text is kept by the caller: it would lose letters.
 */
export function useAfterAnswer<Content>(element: Content): Content {
  const isLate = areAnswersLate()
  // Undefined on a fast device: a value that changes costs a second render.
  const last = useDeferredValue(isLate ? { element } : undefined)
  return isLate && last ? last.element : element
}

/**
 * Where answers are late, false at the first render of a component: a dialog shows its title or its field first, and its long
 * content after that. Elsewhere always true.
 */
export function useIsAnswered(): boolean {
  const [isLate] = useState(areAnswersLate)
  return useDeferredValue(true, !isLate)
}

/** Begins to watch how long answers take, and tasks that block the page, such as those of its load. Call it once. */
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

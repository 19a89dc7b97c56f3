import type { Page } from 'playwright/test'

/** The page takes the device for a weak one after a task like this. */
export async function beSlow(page: Page): Promise<void> {
  await page.evaluate(
    () =>
      new Promise<void>((resolve) => {
        new PerformanceObserver((_, observer) => {
          observer.disconnect()
          resolve()
        }).observe({ type: 'longtask' })
        setTimeout(() => {
          const end = performance.now() + 150
          while (performance.now() < end);
        })
      }),
  )
}

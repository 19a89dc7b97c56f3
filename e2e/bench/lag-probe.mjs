// Measures the event loop of the service from inside; NODE_OPTIONS=--import loads it. On each SIGUSR2 it writes the lag since
// the last one to the file that SPOOL_BENCH_LAG names.
import { writeFileSync } from 'node:fs'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { isMainThread } from 'node:worker_threads'

// The launcher, the build and worker threads inherit the variable; only the service's own loop is measured.
if (isMainThread && process.argv[1]?.endsWith('dist/service/main.js') && process.env.SPOOL_BENCH_LAG) {
  const delay = monitorEventLoopDelay({ resolution: 1 })
  delay.enable()
  process.on('SIGUSR2', () => {
    // The monitor reports the time between its ticks, which are one millisecond apart.
    const ms = (nanoseconds) => Math.max(0, nanoseconds / 1e6 - 1)
    writeFileSync(process.env.SPOOL_BENCH_LAG, JSON.stringify({ p99: ms(delay.percentile(99)), max: ms(delay.max) }))
    delay.reset()
  })
}

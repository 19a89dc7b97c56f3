// Loaded into the service by NODE_OPTIONS=--import: measures its event loop, which nothing outside of it can. On SIGUSR2 it
// writes what it has seen since the last one into the file that SPOOL_BENCH_LAG names.
import { writeFileSync } from 'node:fs'
import { monitorEventLoopDelay } from 'node:perf_hooks'

// The launcher and the build inherit the variable and have nothing to measure.
if (process.argv[1]?.endsWith('dist/service/main.js') && process.env.SPOOL_BENCH_LAG) {
  const delay = monitorEventLoopDelay({ resolution: 1 })
  delay.enable()
  process.on('SIGUSR2', () => {
    // The monitor counts the time between its own ticks; the tick itself is one millisecond.
    const ms = (nanoseconds) => Math.max(0, nanoseconds / 1e6 - 1)
    writeFileSync(process.env.SPOOL_BENCH_LAG, JSON.stringify({ p99: ms(delay.percentile(99)), max: ms(delay.max) }))
    delay.reset()
  })
}

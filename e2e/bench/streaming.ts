import { setTimeout as wait } from 'node:timers/promises'
import { SpoolClient } from '../spool-client'
import { SpoolService } from '../spool-service'
import { benchProject } from './load-calls'
import { report } from './report'
import { measurePeakGrowthMegabytes, findServiceProcessId } from './service-process'

const username = 'bench'
const password = 'a password for the bench'
const pauseMs = 5

/** Time and memory to stream all threads of the loaded store to fast and slow readers. */
export async function benchStreaming(folder: string): Promise<boolean> {
  const startedAt = performance.now()
  const service = await SpoolService.start({
    SPOOL_DATA: folder,
    SPOOL_USERNAME: username,
    SPOOL_PASSWORD: password,
    SPOOL_SAMPLE: 'off',
  })
  const startMs = performance.now() - startedAt
  try {
    const client = new SpoolClient(service.url, username, password)
    const read = async (pause: number, filter?: object) => {
      const response = await client.post('/threads/stream_query', { project_id: benchProject, filter })
      if (!response.body) throw new Error('The list has no body.')
      let bytes = 0
      for await (const chunk of response.body) {
        bytes += chunk.length
        if (pause > 0) await wait(pause)
      }
      return bytes
    }
    await client.postLines('/threads/stream_query', { project_id: benchProject, limit: 51 })
    const id = findServiceProcessId(service.processId)
    let bytes = 0
    const fastAt = performance.now()
    const fast = await measurePeakGrowthMegabytes(id, async () => (bytes = await read(0)))
    const fastMs = performance.now() - fastAt
    const slow = await measurePeakGrowthMegabytes(id, () => read(pauseMs))
    const window = await measurePeakGrowthMegabytes(id, () => read(0, { after_datetime: '1900-01-01T00:00:00Z' }))
    const four = await measurePeakGrowthMegabytes(id, () => Promise.all([read(pauseMs), read(pauseMs), read(0), read(0)]))
    return report('All threads over HTTP', [
      { name: 'start to ready on this store', value: startMs, unit: 'ms' },
      { name: 'the list', value: bytes / 1e6, unit: 'MB' },
      { name: 'time to a fast reader', value: fastMs, unit: 'ms' },
      { name: 'memory that a fast reader adds', value: fast, unit: 'MB', target: { max: 250 } },
      { name: 'memory that a slow reader adds', value: slow, unit: 'MB', target: { max: 250 } },
      { name: 'memory that a window of everything adds', value: window, unit: 'MB', target: { max: 250 } },
      { name: 'memory that two slow and two fast readers add', value: four, unit: 'MB' },
    ])
  } finally {
    await service.stop()
  }
}

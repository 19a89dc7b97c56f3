import { parentPort } from 'node:worker_threads'
import { servePreparations } from './http/prepare/serve-preparations'
import { createIdGenerator } from './lib/id-generator'
import { preparations } from './preparations'

// The ids of a generator hold 62 random bits, so those of threads differ.
if (parentPort) servePreparations(parentPort, preparations, { newId: createIdGenerator(() => Date.now()) })

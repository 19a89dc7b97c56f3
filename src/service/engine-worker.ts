import { constants, setPriority } from 'node:os'
import { parentPort } from 'node:worker_threads'
import { serveEngine } from './store/serve-engine'

// The engine's threads inherit the priority of this one, so the event loop, which has little to do, need not wait for them.
setPriority(constants.priority.PRIORITY_BELOW_NORMAL)

const port = parentPort
if (port) serveEngine(port, () => port.close())

import { parentPort } from 'node:worker_threads'
import { serveEngine } from './store/serve-engine'

const port = parentPort
if (port) serveEngine(port, () => port.close())

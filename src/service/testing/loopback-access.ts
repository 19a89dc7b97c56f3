import type { Access } from '../http/host-check'

/** What a service has by default. */
export const loopbackAccess: Access = { host: '127.0.0.1', allowedHosts: [], allowedOrigins: [] }

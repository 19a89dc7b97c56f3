import { isIPv4 } from 'node:net'
import type { MiddlewareHandler } from 'hono'
import { isLoopbackHost } from '../../contract/http'
import { HttpError } from './http-error'

/** Where the service listens, and the names and pages it is reached by. */
export type Access = {
  /** The address that the service listens on. */
  readonly host: string
  /** SPOOL_HOSTS: host names in lower case, each with an optional port; a leading dot allows subdomains. */
  readonly allowedHosts: readonly string[]
  /** SPOOL_ORIGINS: origins whose pages may call, such as `https://tools.example`. */
  readonly allowedOrigins: readonly string[]
}

/**
 * Refuses requests for a host name that is not this service's (421), against DNS rebinding: a page of another site lets
 * its own name resolve to this machine, and the browser then takes the service for the page's own server.
 *
 * A service on loopback is called by loopback names and those in SPOOL_HOSTS. One that listens on other addresses often
 * stands behind a proxy or a container's port, whose names it cannot know. Without SPOOL_HOSTS it therefore takes every
 * name: a rebound name gains nothing there, because the browser has no cookie and no password for that name, and the
 * attacker can reach the public address without that browser. Addresses cannot be rebound.
 *
 * A health check passes with any Host, and so does a request without one: HTTP/1.0, which no browser sends.
 */
export function hostCheck(access: Access): MiddlewareHandler {
  const isOnLoopback = isLoopbackHost(access.host) || access.host === '::1'
  return async (c, next) => {
    const header = c.req.header('host')
    if (header !== undefined && header !== '' && c.req.path !== '/health') {
      const host = parseHost(header)
      if (!host) throw invalidHost()
      if (!isAllowedHost(host, isOnLoopback, access.allowedHosts)) throw wrongHost(host.name)
    }
    await next()
  }
}

type Host = { name: string; port: string | undefined }

/** The name in lower case, without the dot of an absolute DNS name. */
function parseHost(header: string): Host | undefined {
  const [, name, port] = /^(\[[\da-f:.]+\]|[^\s:[\]/?#@\\]+)(?::(\d{1,5}))?$/i.exec(header) ?? []
  return name === undefined ? undefined : { name: name.toLowerCase().replace(/\.$/, ''), port }
}

function isAllowedHost({ name, port }: Host, isOnLoopback: boolean, allowedHosts: readonly string[]): boolean {
  if (isLoopbackHost(name)) return true
  if (allowedHosts.some((allowed) => matches(allowed, name, port))) return true
  if (isOnLoopback) return false
  return allowedHosts.length === 0 || name.startsWith('[') || isIPv4(name)
}

function matches(allowed: string, name: string, port: string | undefined): boolean {
  const host = parseHost(allowed)
  if (!host || (host.port !== undefined && host.port !== port)) return false
  return host.name.startsWith('.') ? name.endsWith(host.name) : name === host.name
}

function wrongHost(name: string): HttpError {
  const shortName = name.length > 100 ? `${name.slice(0, 100)}…` : name
  const msg = `This service is not called '${shortName}'. If it should be, start it with SPOOL_HOSTS=${shortName}.`
  return new HttpError('misdirected', { loc: ['header', 'host'], msg, type: 'wrong_host' })
}

function invalidHost(): HttpError {
  const msg = 'The Host header must be a host name or address with an optional port.'
  return new HttpError('bad_request', { loc: ['header', 'host'], msg, type: 'invalid_host' })
}

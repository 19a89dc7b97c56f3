import { isIPv6 } from 'node:net'
import type { Context } from 'hono'
import type { HttpEnv } from './http-env'

/**
 * Whom a request without credentials counts for. Of an IPv6 address that is the first half: one subscriber has all 2^64
 * addresses of it (RFC 6177). Behind a proxy it is the proxy, because forwarded addresses can be made up.
 */
export function clientAddress(c: Context<HttpEnv>): string {
  const env: HttpEnv['Bindings'] | undefined = c.env // undefined where the app is called in memory
  return toAddressKey(env?.incoming?.socket.remoteAddress ?? '')
}

/** An IPv4 address as it is, of an IPv6 address its /64. */
export function toAddressKey(address: string): string {
  const mapped = /^::ffff:(\d+(?:\.\d+){3})$/i.exec(address)?.[1]
  if (mapped !== undefined) return mapped
  if (!isIPv6(address)) return address
  const [before = '', after] = address.replace(/%.*$/, '').split('::')
  const head = before === '' ? [] : before.split(':')
  const tail = after === undefined || after === '' ? [] : after.split(':')
  const groups = after === undefined ? head : [...head, ...Array<string>(8 - head.length - tail.length).fill('0'), ...tail]
  return `${groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')}::/64`
}

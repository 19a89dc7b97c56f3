import type { MiddlewareHandler } from 'hono'
import { secureHeaders } from 'hono/secure-headers'

/** CSP sources of the scripts and styles that a page carries inline. */
export type InlineHashes = { readonly scripts: readonly string[]; readonly styles: readonly string[] }

const none: InlineHashes = { scripts: [], styles: [] }

/** Sets the headers that keep a page safe, on every response. */
export function securityHeaders({ scripts, styles }: InlineHashes = none): MiddlewareHandler {
  return secureHeaders({
    contentSecurityPolicy: {
      defaultSrc: ["'self'"],
      scriptSrc: ["'self'", ...scripts],
      styleSrc: ["'self'", ...styles],
      // React sets widths and bar lengths by style attributes; they carry no script.
      styleSrcAttr: ["'unsafe-inline'"],
      // The dashboard may be pointed at other servers. It sends them only what its user typed in.
      connectSrc: ["'self'", 'https:', 'http:'],
      imgSrc: ["'self'", 'data:'],
      objectSrc: ["'none'"],
      baseUri: ["'none'"],
      formAction: ["'self'"],
      frameAncestors: ["'none'"],
    },
    permissionsPolicy: { camera: [], geolocation: [], microphone: [] },
    // HTTPS is the business of the proxy in front; other programs of this host may have none.
    strictTransportSecurity: false,
    // Dashboards of other origins may read responses, see the CORS headers.
    crossOriginResourcePolicy: false,
    // The policy above says the same, or they are read by browsers that the dashboard does not support.
    originAgentCluster: false,
    xDnsPrefetchControl: false,
    xDownloadOptions: false,
    xFrameOptions: false,
    xPermittedCrossDomainPolicies: false,
    xXssProtection: false,
  })
}

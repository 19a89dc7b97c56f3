/**
 * Headers of every answer. `inlineHashes` are the CSP sources of what the page carries inline. `connect-src` is wide
 * because the dashboard may be pointed at other servers; what it sends there is only what its user typed in.
 */
export function securityHeaders(
  inlineHashes: { scripts: readonly string[]; styles: readonly string[] } = { scripts: [], styles: [] },
): Record<string, string> {
  const policy = [
    "default-src 'self'",
    ["script-src 'self'", ...inlineHashes.scripts].join(' '),
    // Style attributes are how React sets widths and bar lengths; they carry no script.
    ["style-src 'self'", ...inlineHashes.styles].join(' '),
    "style-src-attr 'unsafe-inline'",
    "connect-src 'self' https: http:",
    "img-src 'self' data:",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ]
  return {
    'content-security-policy': policy.join('; '),
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cross-origin-opener-policy': 'same-origin',
    'permissions-policy': 'camera=(), geolocation=(), microphone=()',
  }
}

import type { Tone } from '../ui/tone'
import type { Probe } from './probes'
import type { ProbeOutcome, ProbeResult } from './run-probe'

type Description = { tone: Exclude<Tone, 'neutral'>; title: string; advice?: string }

const descriptions: Record<ProbeOutcome, Description> = {
  read: { tone: 'good', title: 'Fine' },
  empty: { tone: 'good', title: 'Fine', advice: 'There is none in this project yet.' },
  'ignores-limit': {
    tone: 'good',
    title: 'Fine, but it ignores the limit',
    advice: 'It sent more than the one that was asked for, so each page reads the whole list.',
  },
  exists: { tone: 'good', title: 'Takes requests', advice: 'Not tried: that would create a queue.' },
  untold: {
    tone: 'info',
    title: 'Not known',
    advice: 'The server does not tell without trying, and trying would create a queue.',
  },
  unreachable: { tone: 'bad', title: 'No response', advice: 'The server is down, or the address is wrong.' },
  cors: {
    tone: 'bad',
    title: 'Not allowed from this page (CORS)',
    advice:
      'The server runs, but does not let this page read its responses. Allow this origin there (SPOOL_ORIGINS of a Spool), or run a Spool in front of it (SPOOL_UPSTREAM).',
  },
  unreadable: {
    tone: 'bad',
    title: 'No readable response',
    advice: 'The server answers other operations. Here it breaks off, or does not let this page read its response (CORS).',
  },
  unauthorized: { tone: 'bad', title: 'Not signed in (401)', advice: 'The username or password is wrong.' },
  forbidden: { tone: 'bad', title: 'No access (403)', advice: 'This user has no access to this project.' },
  missing: {
    tone: 'bad',
    title: 'Unknown to this server (404)',
    advice: 'A part of the address is missing, or this is another kind of service.',
  },
  'wrong-method': {
    tone: 'bad',
    title: 'Takes no such request',
    advice: 'A server is there, but not this kind of service, or a part of the address is missing.',
  },
  rejected: { tone: 'bad', title: 'Rejected', advice: 'The server did not accept the request.' },
  exposed: {
    tone: 'bad',
    title: 'Not sent',
    advice: 'Others on the network can read a password that goes to another host over plain http. Use https.',
  },
  throttled: { tone: 'warn', title: 'Too many requests' },
  busy: { tone: 'warn', title: 'Not available' },
  redirected: { tone: 'bad', title: 'Sent on to another address', advice: 'Enter the address that it leads to.' },
  unexpected: { tone: 'bad', title: 'Not this kind of service', advice: 'A server responds there, but with something else.' },
  timeout: { tone: 'bad', title: 'No response within 15 s', advice: 'The server accepted the request and did not finish it.' },
  failed: { tone: 'bad', title: 'Failed' },
}

const isQuoted = new Set<ProbeOutcome>(['forbidden', 'rejected', 'failed', 'unexpected', 'busy', 'throttled'])

/** Failures of the whole connection, not of one operation. */
const isWhole = new Set<ProbeOutcome>(['unreachable', 'cors', 'exposed'])

/** A result in plain words. The server's own message is added where it is more specific. */
export function describeProbeResult(result: ProbeResult, { isOptional }: Pick<Probe, 'isOptional'>): Description {
  const { outcome, isSlow, status, message } = result
  const found = descriptions[outcome]
  const title = found.title.endsWith(')') || status === undefined || status < 300 ? found.title : `${found.title} (${status})`
  if (isOptional && found.tone === 'bad' && !isWhole.has(outcome)) {
    return { tone: 'warn', title, advice: 'Everything else works without it.' }
  }
  if (outcome === 'redirected' && message !== undefined) {
    return { tone: 'bad', title, advice: `Enter the address that it leads to: ${toBaseUrl(message)}` }
  }
  const advice = [found.advice, isQuoted.has(outcome) ? message : undefined].filter(Boolean).join(' ')
  const described = { ...found, title, ...(advice && { advice }) }
  if (!isSlow || found.tone !== 'good') return described
  return { ...described, tone: 'warn', title: `${title} (slow)`, advice: `It took more than two seconds. ${advice}`.trim() }
}

/** The address to enter: where the redirect leads, without the path of the operation. */
function toBaseUrl(target: string): string {
  return target.replace(/\/(?:cost\/query|threads\/stream_query|annotation_queues(?:\/query)?)?(?:\?.*)?$/, '')
}

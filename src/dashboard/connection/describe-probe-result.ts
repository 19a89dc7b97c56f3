import type { Tone } from '../ui/tone'
import type { ProbeOutcome, Probe, ProbeResult } from './probes'

type Description = { tone: Exclude<Tone, 'neutral'>; title: string; advice?: string }

const descriptions: Record<ProbeOutcome, Description> = {
  fine: { tone: 'good', title: 'Fine' },
  slow: { tone: 'warn', title: 'Slow', advice: 'It works, but it took more than two seconds.' },
  unreachable: { tone: 'bad', title: 'No response', advice: 'The server is down, or the address is wrong.' },
  cors: {
    tone: 'bad',
    title: 'Not allowed from this page (CORS)',
    advice:
      'The server runs, but does not let this page read its responses. Allow this origin there (SPOOL_ORIGINS of a Spool), or run a Spool in front of it (SPOOL_UPSTREAM).',
  },
  unauthorized: { tone: 'bad', title: 'Not signed in (401)', advice: 'The username or password is wrong.' },
  forbidden: { tone: 'bad', title: 'No access (403)', advice: 'This user has no access to this project.' },
  missing: {
    tone: 'bad',
    title: 'Unknown to this server (404)',
    advice: 'It may be older than this dashboard, or a part of the address is missing.',
  },
  rejected: { tone: 'bad', title: 'Rejected (422)', advice: 'The server did not accept the request.' },
  exposed: {
    tone: 'bad',
    title: 'Not sent',
    advice: 'Others on the network can read a password that goes to another host over plain http. Use https.',
  },
  busy: { tone: 'warn', title: 'Too busy', advice: 'Try again in a moment.' },
  unexpected: {
    tone: 'bad',
    title: 'Unexpected response',
    advice: 'A server responds there, but it is not this kind of service.',
  },
  timeout: { tone: 'bad', title: 'No response within 15 s', advice: 'The server accepted the request and did not finish it.' },
  failed: { tone: 'bad', title: 'Failed' },
}

/** A result in plain words. The server's own message is added where it is more specific. */
export function describeProbeResult({ outcome, message }: ProbeResult, { isOptional }: Probe): Description {
  if (outcome === 'missing' && isOptional) {
    return { tone: 'warn', title: 'Unknown to this server (404)', advice: 'Everything else works without it.' }
  }
  const found = descriptions[outcome]
  const isWorthQuoting = ['rejected', 'failed', 'unexpected', 'busy'].includes(outcome)
  const advice = [found.advice, isWorthQuoting ? message : undefined].filter(Boolean).join(' ')
  return { ...found, ...(advice && { advice }) }
}

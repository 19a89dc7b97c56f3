import type { Tone } from '../ui/tone'
import type { ProbeOutcome, Probe, ProbeResult } from './probes'

type Words = { tone: Exclude<Tone, 'neutral'>; title: string; advice?: string }

const words: Record<ProbeOutcome, Words> = {
  fine: { tone: 'good', title: 'Fine' },
  slow: { tone: 'warn', title: 'Slow', advice: 'It works, but took more than two seconds.' },
  unreachable: { tone: 'bad', title: 'No answer', advice: 'The server is down, or the address is wrong.' },
  cors: {
    tone: 'bad',
    title: 'Not allowed from this page (CORS)',
    advice:
      'The server is there, but does not let this page read its answers. It must allow this origin, or be reached through a Spool of its own (SPOOL_UPSTREAM).',
  },
  unauthorized: { tone: 'bad', title: 'Not signed in (401)', advice: 'The username or the password is not right.' },
  forbidden: { tone: 'bad', title: 'No access (403)', advice: 'This user may not use this project.' },
  missing: {
    tone: 'bad',
    title: 'Unknown to this server (404)',
    advice: 'It may be older than this dashboard, or the address lacks a path.',
  },
  refused: { tone: 'bad', title: 'Refused (422)', advice: 'The server did not take the request.' },
  exposed: {
    tone: 'bad',
    title: 'Not sent',
    advice: 'A password over plain http to another host can be read on the way. Use https.',
  },
  busy: { tone: 'warn', title: 'Too busy', advice: 'Try again in a moment.' },
  misfit: { tone: 'bad', title: 'Another kind of answer', advice: 'Something answers there, but it is not this service.' },
  unanswered: { tone: 'bad', title: 'No answer in 15 s', advice: 'The server took the call and did not finish it.' },
  failed: { tone: 'bad', title: 'Failed' },
}

/** What a probe's result means for the person. The server's own words are added where they say more than ours. */
export function describeProbeResult({ outcome, message }: ProbeResult, { isExtra }: Probe): Words {
  if (outcome === 'missing' && isExtra) {
    return { tone: 'warn', title: 'Unknown to this server (404)', advice: 'Everything else works without it.' }
  }
  const found = words[outcome]
  const isWorthQuoting = ['refused', 'failed', 'misfit', 'busy'].includes(outcome)
  const advice = [found.advice, isWorthQuoting ? message : undefined].filter(Boolean).join(' ')
  return { ...found, ...(advice && { advice }) }
}

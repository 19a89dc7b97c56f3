import type { Turn } from '../../../../contract/turns'
import { fromTurn, type ThreadTurn } from '../thread-turn'

/** A turn as the service has it; without more it is one that runs. */
export function testTurn(id: string, more: Partial<Turn> = {}): ThreadTurn {
  return fromTurn({
    id,
    trace_id: 'trace',
    name: 'answer',
    first_words: null,
    started_at: '2026-01-01T00:00:00Z',
    ended_at: null,
    duration_ms: null,
    status: 'running',
    call_count: 1,
    models: [],
    prompt_tokens: 0,
    completion_tokens: 0,
    costs: [],
    unpriced_call_count: 0,
    ...more,
  })
}

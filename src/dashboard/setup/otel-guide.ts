import type { Destination } from './guide'
import { type Guide, passwordStep } from './guide'
import { otelVariables, otelVariablesNote } from './otel-variables'

export function otelGuide(destination: Destination): Guide {
  return {
    steps: [
      passwordStep,
      {
        title: 'Start your instrumented application with these variables',
        label: 'Shell: variables',
        code: otelVariables(destination),
        note: otelVariablesNote,
      },
      {
        title: 'Set these attributes on the span that answers a person',
        label: 'Span attributes',
        code: `wandb.thread_id = "ticket-1042"
wandb.is_turn   = true`,
      },
    ],
    threads:
      'A span with `wandb.thread_id` and a true `wandb.is_turn` is a turn of that thread. Without these, `gen_ai.conversation.id` or `session.id` names the thread, and the topmost span of each trace in it is the turn.',
  }
}

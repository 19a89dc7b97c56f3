/** Tokens of one call of a model. */
export type Tokens = { model: string; prompt: number; completion: number }

type Used = { tokens?: Tokens; steps?: readonly Used[] }
type Usage = Record<string, { requests: number; prompt_tokens: number; completion_tokens: number; total_tokens: number }>

/** Usage by model, that of all steps below included: so the SDK sums it up into every ancestor. */
export function usageOf(steps: readonly Used[]): Usage {
  const usage: Usage = {}
  const add = (step: Used) => {
    for (const below of step.steps ?? []) add(below)
    if (!step.tokens) return
    const { model, prompt, completion } = step.tokens
    const sum = (usage[model] ??= { requests: 0, prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 })
    sum.requests += 1
    sum.prompt_tokens += prompt
    sum.completion_tokens += completion
    sum.total_tokens += prompt + completion
  }
  for (const step of steps) add(step)
  return usage
}

import type { Problem } from '../../contract/problem'

export type FormProblems = {
  name: string | undefined
  description: string | undefined
  scorerRefs: string | undefined
  /** By position in the list that was sent. */
  byRef: ReadonlyMap<number, string>
  /** What no field stands for. */
  others: string[]
}

/** Puts the server's problems where their `loc` says they belong. */
export function formProblems(problems: readonly Problem[]): FormProblems {
  const byRef = new Map<number, string>()
  const found: FormProblems = { name: undefined, description: undefined, scorerRefs: undefined, byRef, others: [] }
  for (const { loc, msg } of problems) {
    const [place, field, index] = loc
    if (place !== 'body') found.others.push(msg)
    else if (field === 'name') found.name = joined(found.name, msg)
    else if (field === 'description') found.description = joined(found.description, msg)
    else if (field === 'scorer_refs' && index !== undefined && /^\d+$/.test(index)) {
      byRef.set(Number(index), joined(byRef.get(Number(index)), msg))
    } else if (field === 'scorer_refs') found.scorerRefs = joined(found.scorerRefs, msg)
    else found.others.push(field === undefined ? msg : `${field}: ${msg}`)
  }
  return found
}

function joined(before: string | undefined, message: string): string {
  return before === undefined ? message : `${before} ${message}`
}

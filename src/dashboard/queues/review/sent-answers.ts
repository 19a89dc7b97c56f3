import { ApiError } from '../../client/api-error'
import { type AnswerControl, type Entered, readAnswer } from './answer-control'
import type { ReviewDraft } from './review-drafts'

/** A scorer of the queue that people answer. */
export type AnswerField = {
  /** The reference in the queue. */
  ref: string
  name: string
  /** What its spec calls it. The name in a reference has no spaces. */
  title: string
  description: string | null
  schema: Readonly<Record<string, unknown>>
  control: AnswerControl
}

export type NewAnswer = { id: string; field: AnswerField; value: unknown }

/** Of each field; undefined where nothing is answered. */
export type Answers = ReadonlyMap<AnswerField, { value: unknown } | undefined>

/** What was entered, as answers, and what is wrong with it, by scorer reference. */
export function readAnswers(fields: readonly AnswerField[], entered: Readonly<Record<string, Entered>>) {
  const answers = new Map<AnswerField, { value: unknown } | undefined>()
  const problems: Record<string, string> = {}
  for (const field of fields) {
    const read = readAnswer(field.schema, field.control, entered[field.ref])
    if (read && 'problem' in read) problems[field.ref] = read.problem
    else answers.set(field, read)
  }
  return { answers, problems }
}

type Sent = ReviewDraft['sent']

/**
 * Compares the answers with what was sent before. `added`: answers to send. `removedIds`: feedback to delete, because its
 * answer was cleared. An answer that was sent keeps its id even if its reply was lost, so sending it again stores nothing twice.
 * After a failure the same plan follows from `sent`.
 */
export function planAnswers(before: Sent, answers: Answers, newId: () => string) {
  const sent = { ...before }
  const added: NewAnswer[] = []
  const removedIds: string[] = []
  for (const [field, answer] of answers) {
    const { ref } = field
    const known = sent[ref]
    if (!answer) {
      if (!known) continue
      removedIds.push(known.id)
      // Remembered until it is deleted. As no value has this text, one that is entered again is a new answer.
      sent[ref] = { ...known, text: '' }
      continue
    }
    const text = JSON.stringify(answer.value)
    const own = known?.text === text ? known : { id: newId(), text, isStored: false }
    sent[ref] = own
    if (!own.isStored) added.push({ id: own.id, field, value: answer.value })
  }
  return { sent, added, removedIds }
}

/** Whether more is entered than the service has. */
export function isUnsaved(fields: readonly AnswerField[], { entered, sent }: ReviewDraft): boolean {
  const { answers, problems } = readAnswers(fields, entered)
  const { added, removedIds } = planAnswers(sent, answers, String)
  return added.length + removedIds.length > 0 || Object.keys(problems).some((ref) => ref in entered)
}

/** What is remembered after all of a plan was done. */
export function settleAnswers(sent: Sent, removedIds: readonly string[]): Sent {
  const kept = Object.entries(sent).filter(([, { id }]) => !removedIds.includes(id))
  return Object.fromEntries(kept.map(([ref, own]) => [ref, { ...own, isStored: true }]))
}

/** What the service says of answers that it refused, by scorer reference. */
export function readRefusals(error: unknown, answers: readonly NewAnswer[]): Record<string, string> {
  const problems: Record<string, string> = {}
  for (const { loc, msg } of error instanceof ApiError ? error.problems : []) {
    const answer = loc[1] === 'batch' ? answers[Number(loc[2])] : undefined
    if (answer) problems[answer.field.ref] = msg
  }
  return problems
}

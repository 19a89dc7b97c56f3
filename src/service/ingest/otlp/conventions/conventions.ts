import { genAi } from './gen-ai'
import { genAiLegacy } from './gen-ai-legacy'
import { googleAdk } from './google-adk'
import { openInference } from './open-inference'
import { openLlmetry } from './open-llmetry'
import { type SemanticConvention, type TokenCount, tokenCounts } from './semantic-convention'
import { weave } from './weave'

type Attributes = ReadonlyMap<string, unknown>

/** To add a convention, add its file and its line here. An earlier one wins over a later one. */
const conventions: readonly SemanticConvention[] = [weave, genAi, genAiLegacy, openInference, openLlmetry, googleAdk]

const textKeys = {
  model: conventions.flatMap(({ model = [] }) => model),
  provider: conventions.flatMap(({ provider = [] }) => provider),
  operation: conventions.flatMap(({ operation = [] }) => operation),
  kind: conventions.flatMap(({ kind = [] }) => kind),
}
const tokenKeys = tokenCounts.map((count) => ({ count, keys: conventions.flatMap(({ tokens }) => tokens?.[count] ?? []) }))

export const threadIdKeys = conventions.flatMap(({ threadId = [] }) => threadId)
export const conversationIdKeys = conventions.flatMap(({ conversationId = [] }) => conversationId)

/** In the order in which they are looked for. */
export const payloadKeys = {
  inputs: conventions.flatMap(({ inputs = [] }) => inputs),
  output: conventions.flatMap(({ output = [] }) => output),
}
export const mimeTypeKeys = new Map(conventions.flatMap(({ mimeType = {} }) => Object.entries(mimeType)))
export const payloadEvents = new Set(conventions.flatMap((convention) => convention.payloadEvents ?? []))
export const messageRoles = new Map(conventions.flatMap(({ messageEvents = {} }) => Object.entries(messageEvents)))
export const choiceEvents = new Set(conventions.flatMap((convention) => convention.choiceEvents ?? []))

/** The first text that is not empty. */
export function readText(attributes: Attributes, name: keyof typeof textKeys): string | undefined {
  for (const key of textKeys[name]) {
    const value = attributes.get(key)
    if (typeof value === 'string' && value !== '') return value
  }
  return undefined
}

/** The token counts that are whole numbers from 0; the others are unknown. */
export function readTokens(attributes: Attributes): Partial<Record<TokenCount, number>> {
  const tokens: Partial<Record<TokenCount, number>> = {}
  for (const { count, keys } of tokenKeys) {
    const value = keys.map((key) => toTokenCount(attributes.get(key))).find((each) => each !== undefined)
    if (value !== undefined) tokens[count] = value
  }
  return tokens
}

function toTokenCount(value: unknown): number | undefined {
  const number = typeof value === 'string' && /^\d{1,16}$/.test(value) ? Number(value) : value
  return typeof number === 'number' && Number.isSafeInteger(number) && number >= 0 ? number : undefined
}

import { type AttributeReader, isMap, toText } from '../attributes/attribute-reader'
import type { Json } from '../attributes/attributes'
import { nestAttributes } from '../attributes/nest-attributes'
import { parseJsonText } from '../attributes/parse-json-text'
import { genAi } from './gen-ai'
import { genAiLegacy } from './gen-ai-legacy'
import { googleAdk } from './google-adk'
import { langfuse } from './langfuse'
import { logfire } from './logfire'
import { mastra } from './mastra'
import { mlflow } from './mlflow'
import { openInference } from './open-inference'
import { openLlmetry } from './open-llmetry'
import { plain } from './plain'
import { pydanticAi } from './pydantic-ai'
import {
  type Heading,
  headings,
  type SemanticConvention,
  type TokenCount,
  tokenCounts,
  type ValueSource,
} from './semantic-convention'
import { vercelAi } from './vercel-ai'
import { weave } from './weave'

/** To add a convention, add its file and its line here. An earlier one wins over a later one. */
const conventions: readonly SemanticConvention[] = [
  weave,
  langfuse,
  // Before OpenTelemetry's: an agent's span has the instructions by that, and what was asked by Mastra's own.
  mastra,
  // Before OpenTelemetry's, of which it has the name of the provider with the API that is called.
  vercelAi,
  genAi,
  genAiLegacy,
  openInference,
  googleAdk,
  pydanticAi,
  mlflow,
  openLlmetry,
  logfire,
  plain,
]

type Sources = readonly ValueSource[]

const headingSources = new Map(
  headings.map((name) => [name, conventions.flatMap((convention): Sources => convention[name] ?? [])]),
)
const tokenSources = tokenCounts.map((count) => ({ count, sources: conventions.flatMap(({ tokens }) => tokens?.[count] ?? []) }))
const finishReasonSources = conventions.flatMap(({ finishReasons = [] }) => finishReasons)
const errorSources = conventions.flatMap(({ error = [] }) => error)
const modelParameters = conventions.flatMap(({ modelParameters: own = {} }) => Object.entries(own))
const modelParameterMaps = conventions.flatMap(({ modelParameterMaps: own = [] }) => own)
const cachedBeside = conventions.flatMap((convention) => convention.cachedBeside ?? [])
const reasoningBeside = conventions.flatMap((convention) => convention.reasoningBeside ?? [])

export const threadSources = [
  ...conventions.flatMap(({ threadId = [] }) => threadId.map((source) => ({ source, isConversation: false }))),
  ...conventions.flatMap(({ conversationId = [] }) => conversationId.map((source) => ({ source, isConversation: true }))),
]

/** In the order in which they are looked for. */
export const payloadKeys = {
  inputs: conventions.flatMap(({ inputs = [] }) => inputs),
  output: conventions.flatMap(({ output = [] }) => output),
}
export const mimeTypeKeys = new Map(conventions.flatMap(({ mimeType = {} }) => Object.entries(mimeType)))
export const payloadEvents = new Set(conventions.flatMap((convention) => convention.payloadEvents ?? []))
export const messageRoles = new Map(conventions.flatMap(({ messageEvents = {} }) => Object.entries(messageEvents)))
export const messageLists = conventions.flatMap((convention) => convention.messageLists ?? [])
export const choiceEvents = new Set(conventions.flatMap((convention) => convention.choiceEvents ?? []))

export function readValue(span: AttributeReader, source: ValueSource): Json | undefined {
  return typeof source === 'string' ? span.get(source) : source(span)
}

/** The first text that is not empty. */
export function readHeading(span: AttributeReader, name: Heading): string | undefined {
  return readFirst(span, headingSources.get(name) ?? [], toText)
}

export function readFinishReasons(span: AttributeReader): string[] | undefined {
  return readFirst(span, finishReasonSources, toTextList)
}

/** What the attributes say went wrong. */
export function readError(span: AttributeReader): string | undefined {
  return readFirst(span, errorSources, toText)
}

/** All parameters of the request by name; the model is a heading of its own. */
export function readModelParameters(span: AttributeReader): { [name: string]: Json } | undefined {
  const parameters = new Map<string, Json>()
  for (const [name, sources] of modelParameters) {
    const value = readFirst(span, sources, (each) => each ?? undefined)
    if (value !== undefined && !parameters.has(name)) parameters.set(name, value)
  }
  for (const key of modelParameterMaps) {
    for (const [name, value] of Object.entries(span.map(key) ?? {})) if (!parameters.has(name)) parameters.set(name, value)
  }
  parameters.delete('model')
  return parameters.size > 0 ? nestAttributes(parameters) : undefined
}

/** The token counts that are whole numbers from 0; the others are unknown. */
export function readTokens(span: AttributeReader): Partial<Record<TokenCount, number>> {
  const tokens: Partial<Record<TokenCount, number>> = {}
  for (const { count, sources } of tokenSources) {
    const value = readFirst(span, sources, toTokenCount)
    if (value !== undefined) tokens[count] = value
  }
  return tokens
}

export function isCachedBeside(span: AttributeReader): boolean {
  return cachedBeside.some((isBeside) => isBeside(span))
}

export function isReasoningBeside(span: AttributeReader): boolean {
  return reasoningBeside.some((isBeside) => isBeside(span))
}

function readFirst<Value>(
  span: AttributeReader,
  sources: Sources,
  convert: (value: Json | undefined) => Value | undefined,
): Value | undefined {
  for (const source of sources) {
    const value = convert(readValue(span, source))
    if (value !== undefined) return value
  }
  return undefined
}

function toTextList(value: Json | undefined): string[] | undefined {
  const parsed = typeof value === 'string' ? parseJsonText(value) : value
  const list = Array.isArray(parsed) ? parsed : isMap(parsed) ? [] : [parsed]
  const texts = list.flatMap((each: Json | undefined) => toText(each) ?? [])
  return texts.length > 0 ? texts : undefined
}

function toTokenCount(value: Json | undefined): number | undefined {
  const number = typeof value === 'string' && /^\d{1,16}$/.test(value) ? Number(value) : value
  return typeof number === 'number' && Number.isSafeInteger(number) && number >= 0 ? number : undefined
}

import { type AttributeReader, isMap, toText } from '../attributes/attribute-reader'
import type { Json } from '../attributes/attributes'
import { KeyIndex } from '../attributes/key-index'
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
  type PayloadKeys,
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

/** Of all conventions, because the attributes of a span are looked through once. */
const keyIndex = new KeyIndex()

/** Returns a function for the items of a list that a span may fill, in their order. */
function indexList<Item>(items: readonly Item[], keysOf: (item: Item) => readonly string[]) {
  const list = keyIndex.addList(items.map(keysOf))
  return (span: AttributeReader): readonly Item[] => {
    const present: Item[] = []
    for (const place of span.presentPlaces(keyIndex)[list] ?? []) {
      const item = items[place]
      if (item !== undefined) present.push(item)
    }
    return present
  }
}

const keysOfSource = (source: ValueSource) => (typeof source === 'string' ? [source] : source.keys)
const keysOfPayload = (payload: PayloadKeys) => ('choose' in payload ? payload.keys : payload)
const indexSources = (sources: readonly ValueSource[]) => indexList(sources, keysOfSource)

const headingSources = new Map(
  headings.map((name) => [name, indexSources(conventions.flatMap((convention) => convention[name] ?? []))]),
)
const tokenSources = indexList(
  tokenCounts.flatMap((count) =>
    conventions.flatMap(({ tokens }) => (tokens?.[count] ?? []).map((source) => ({ count, source }))),
  ),
  ({ source }) => keysOfSource(source),
)
const finishReasonSources = indexSources(conventions.flatMap(({ finishReasons = [] }) => finishReasons))
const displayNameSources = indexSources(conventions.flatMap(({ displayName = [] }) => displayName))
const errorSources = indexSources(conventions.flatMap(({ error = [] }) => error))
const modelParameters = indexList(
  conventions.flatMap(({ modelParameters: own = {} }) =>
    Object.entries(own).flatMap(([name, sources]) => sources.map((source) => ({ name, source }))),
  ),
  ({ source }) => keysOfSource(source),
)
const modelParameterMaps = indexList(
  conventions.flatMap(({ modelParameterMaps: own = [] }) => own),
  (key) => [key],
)
const ownAttributeMaps = indexList(['wandb.attributes'], (key) => [key])
const cachedBeside = conventions.flatMap((convention) => convention.cachedBeside ?? [])
const reasoningBeside = conventions.flatMap((convention) => convention.reasoningBeside ?? [])

export const findThreadSources = indexList(
  [
    ...conventions.flatMap(({ threadId = [] }) => threadId.map((source) => ({ source, isConversation: false }))),
    ...conventions.flatMap(({ conversationId = [] }) => conversationId.map((source) => ({ source, isConversation: true }))),
  ],
  ({ source }) => keysOfSource(source),
)

/** In the order in which they are looked for. */
export const findPayloadKeys = {
  inputs: indexList(
    conventions.flatMap(({ inputs = [] }) => inputs),
    keysOfPayload,
  ),
  output: indexList(
    conventions.flatMap(({ output = [] }) => output),
    keysOfPayload,
  ),
}
export const mimeTypeKeys = new Map(conventions.flatMap(({ mimeType = {} }) => Object.entries(mimeType)))
export const payloadEvents = new Set(conventions.flatMap((convention) => convention.payloadEvents ?? []))
export const messageRoles = new Map(conventions.flatMap(({ messageEvents = {} }) => Object.entries(messageEvents)))
export const messageLists = conventions.flatMap((convention) => convention.messageLists ?? [])
export const choiceEvents = new Set(conventions.flatMap((convention) => convention.choiceEvents ?? []))

export function readValue(span: AttributeReader, source: ValueSource): Json | undefined {
  return typeof source === 'string' ? span.get(source) : source.read(span)
}

/** The first text that is not empty. */
export function readHeading(span: AttributeReader, name: Heading): string | undefined {
  return readFirst(span, headingSources.get(name)?.(span) ?? [], toText)
}

export function readFinishReasons(span: AttributeReader): string[] | undefined {
  return readFirst(span, finishReasonSources(span), toTextList)
}

/** What a span is shown as in place of its name. */
export function readDisplayName(span: AttributeReader): string | undefined {
  return readFirst(span, displayNameSources(span), toText)
}

/** What the attributes say went wrong. */
export function readError(span: AttributeReader): string | undefined {
  return readFirst(span, errorSources(span), toText)
}

/** All parameters of the request by name; the model is a heading of its own. */
export function readModelParameters(span: AttributeReader): { [name: string]: Json } | undefined {
  const parameters = new Map<string, Json>()
  for (const { name, source } of modelParameters(span)) {
    const value = parameters.has(name) ? undefined : readValue(span, source)
    if (value !== undefined && value !== null) parameters.set(name, value)
  }
  for (const key of modelParameterMaps(span)) {
    for (const [name, value] of Object.entries(span.map(key) ?? {})) if (!parameters.has(name)) parameters.set(name, value)
  }
  parameters.delete('model')
  return parameters.size > 0 ? nestAttributes(parameters) : undefined
}

/** What the program chose itself: `wandb.attributes.<name>` becomes `<name>`. */
export function readOwnAttributes(span: AttributeReader): { [name: string]: Json } | undefined {
  const [key] = ownAttributeMaps(span)
  const own = key === undefined ? undefined : span.map(key)
  return own && nestAttributes(new Map(Object.entries(own)))
}

/** The token counts that are whole numbers from 0; the others are unknown. */
export function readTokens(span: AttributeReader): Partial<Record<TokenCount, number>> {
  const tokens: Partial<Record<TokenCount, number>> = {}
  for (const { count, source } of tokenSources(span)) {
    const value = tokens[count] === undefined ? toTokenCount(readValue(span, source)) : undefined
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
  sources: readonly ValueSource[],
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

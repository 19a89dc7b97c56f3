import { quote } from '../client/quote'

/** One word of a POSIX shell: bare where a shell finds nothing in it to act on. */
export function shellWord(text: string): string {
  return /^[\w%+,./:=@-]+$/.test(text) ? text : quote(text)
}

/**
 * A value in OTEL_EXPORTER_OTLP_HEADERS or OTEL_RESOURCE_ATTRIBUTES, which exporters percent-decode. Encoded further than
 * they ask for, so that between double quotes no shell acts on it either (`!` recalls the history).
 */
export function listedValue(text: string): string {
  return encodeURIComponent(text).replace(/[!'()*~]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)
}

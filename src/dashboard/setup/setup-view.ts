import { enumParam } from '../table/view/url-params'
import { languages } from './guide'

export const clients = ['weave', 'otel', 'openinference', 'openllmetry', 'curl'] as const
export type Client = (typeof clients)[number]

/** The URL parameters of this page. */
export const setupParams = { with: enumParam(clients, 'weave'), in: enumParam(languages, 'typescript') }

/** OpenTelemetry and curl have one guide for all languages. */
export function hasLanguages(client: Client): boolean {
  return client !== 'otel' && client !== 'curl'
}

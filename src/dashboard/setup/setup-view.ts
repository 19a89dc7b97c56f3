import { enumParam } from '../table/view/url-params'
import { languages } from './guide'

export const clients = ['weave', 'otel', 'openinference', 'openllmetry', 'curl'] as const
export type Client = (typeof clients)[number]

/** What the address of this page holds. */
export const setupParams = { with: enumParam(clients, 'weave'), in: enumParam(languages, 'typescript') }

/** For OpenTelemetry and curl the language makes no difference. */
export function hasLanguages(client: Client): boolean {
  return client !== 'otel' && client !== 'curl'
}

import { curlGuide } from './curl-guide'
import type { Destination } from './guide'
import type { Guide, Language } from './guide'
import { openInferenceGuide } from './openinference-guide'
import { openLlmetryGuide } from './openllmetry-guide'
import { otelGuide } from './otel-guide'
import type { CallIds } from './curl-guide'
import type { Client } from './setup-view'
import { weaveGuide } from './weave-guide'

type Choice = { client: Client; language: Language; destination: Destination; sample: CallIds; openedAt: number }

export function buildGuide({ client, language, destination, sample, openedAt }: Choice): Guide {
  switch (client) {
    case 'weave':
      return weaveGuide(destination, language)
    case 'otel':
      return otelGuide(destination)
    case 'openinference':
      return openInferenceGuide(destination, language)
    case 'openllmetry':
      return openLlmetryGuide(destination, language)
    case 'curl':
      return curlGuide(destination, sample, openedAt)
  }
}

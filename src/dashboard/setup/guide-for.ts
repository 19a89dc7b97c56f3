import { curlGuide } from './curl-guide'
import type { Destination } from './destination'
import type { Guide, Language } from './guide'
import { openInferenceGuide } from './openinference-guide'
import { openLlmetryGuide } from './openllmetry-guide'
import { otelGuide } from './otel-guide'
import type { SampleCall } from './sample-call'
import type { Client } from './send-view'
import { weaveGuide } from './weave-guide'

type Choice = { client: Client; language: Language; destination: Destination; sample: SampleCall; openedAt: number }

export function guideFor({ client, language, destination, sample, openedAt }: Choice): Guide {
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

import type { Destination } from './guide'
import { type Guide, type Language, nodeStep, openAiKeyNote, passwordStep, pythonStep } from './guide'
import { otelVariables, otelVariablesNote } from './otel-variables'
import python from './programs/openllmetry-python.txt?raw'
import typescript from './programs/openllmetry-typescript.txt?raw'

export function openLlmetryGuide(destination: Destination, language: Language): Guide {
  const isPython = language === 'python'
  return {
    steps: [
      passwordStep,
      {
        title: 'Install the instrumentation and point it here',
        label: 'Shell: OpenLLMetry',
        code: `${isPython ? pipInstall : npmInstall}\n${otelVariables(destination)}`,
        note: otelVariablesNote,
      },
      { ...(isPython ? pythonStep(python) : nodeStep(typescript)), note: openAiKeyNote },
    ],
    threads:
      '`session.id` on a span of your own names the thread. As the topmost span of its trace in that thread it is the turn; what runs inside it belongs to the turn.',
  }
}

const npmInstall = `npm install openai @opentelemetry/api @opentelemetry/sdk-node \\
  @traceloop/instrumentation-openai`

const pipInstall = `pip install openai opentelemetry-sdk opentelemetry-exporter-otlp-proto-http \\
  opentelemetry-instrumentation-openai`

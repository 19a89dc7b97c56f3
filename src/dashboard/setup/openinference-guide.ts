import type { Destination } from './guide'
import { type Guide, type Language, nodeStep, openAiKeyNote, passwordStep, pythonStep } from './guide'
import { otelVariables, otelVariablesNote } from './otel-variables'
import python from './programs/openinference-python.txt?raw'
import typescript from './programs/openinference-typescript.txt?raw'

export function openInferenceGuide(destination: Destination, language: Language): Guide {
  const isPython = language === 'python'
  return {
    steps: [
      passwordStep,
      {
        title: 'Install the instrumentation and point it here',
        label: 'Shell: OpenInference',
        code: `${isPython ? pipInstall : npmInstall}\n${otelVariables(destination)}`,
        note: otelVariablesNote,
      },
      { ...(isPython ? pythonStep(python) : nodeStep(typescript)), note: openAiKeyNote },
    ],
    threads: isPython
      ? '`using_session` names the thread, as `session.id`. The topmost span of each trace in it is a turn.'
      : '`setSession` names the thread, as `session.id`. The topmost span of each trace in it is a turn.',
  }
}

const npmInstall = `npm install openai @opentelemetry/api @opentelemetry/sdk-node \\
  @arizeai/openinference-core @arizeai/openinference-instrumentation-openai`

const pipInstall = `pip install openai opentelemetry-sdk opentelemetry-exporter-otlp-proto-http \\
  openinference-instrumentation-openai`

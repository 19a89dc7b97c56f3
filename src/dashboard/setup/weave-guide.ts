import type { Destination } from './guide'
import { type Guide, type Language, nodeStep, passwordStep, pythonStep } from './guide'
import python from './programs/weave-python.txt?raw'
import typescript from './programs/weave-typescript.txt?raw'
import { shellQuoteIfNeeded } from '../client/shell-quote'

export function weaveGuide(destination: Destination, language: Language): Guide {
  return language === 'python' ? pythonGuide(destination) : typescriptGuide(destination)
}

function variables({ baseUrl }: Destination): string {
  return `export WF_TRACE_SERVER_URL=${shellQuoteIfNeeded(baseUrl)}
export WANDB_API_KEY="$SPOOL_KEY"`
}

const withProject = (program: string, { projectId }: Destination) =>
  program.replace('"acme/support"', () => JSON.stringify(projectId))

function typescriptGuide(destination: Destination): Guide {
  return {
    steps: [
      passwordStep,
      {
        title: 'Install Weave and point it here',
        label: 'Shell: Weave',
        code: `npm install weave
${variables(destination)}
export WEAVE_PRINT_CALL_LINK=false`,
        note: 'The links that it would print lead to wandb.ai.',
      },
      nodeStep(withProject(typescript, destination)),
    ],
    threads:
      'Weave’s npm package (0.11) cannot name a thread: its calls are stored and counted below, but belong to no thread. For threads from TypeScript, use OpenInference, OpenLLMetry or OpenTelemetry; Weave for Python has them.',
  }
}

function pythonGuide(destination: Destination): Guide {
  return {
    steps: [
      passwordStep,
      {
        title: 'Install Weave and point it here',
        label: 'Shell: Weave',
        code: `pip install weave
${variables(destination)}
export WANDB_BASE_URL="$WF_TRACE_SERVER_URL"`,
        note: 'Without `WANDB_BASE_URL`, `weave.init` looks the project up at wandb.ai, which does not know your password here.',
      },
      pythonStep(withProject(python, destination)),
    ],
    threads:
      '`weave.thread(id)` is the thread. Each op called directly inside it is a turn; what that op calls belongs to the turn.',
  }
}

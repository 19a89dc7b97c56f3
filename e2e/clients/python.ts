import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Client, Language } from './client'
import { only } from './only'
import { runProcess } from './run-process'

const folder = 'e2e/clients/python'
/** Ignored by git, and kept: a second run installs nothing. */
const cacheFolder = '.cache/clients/python'

/** Clients whose requirements exclude each other have virtual environments of their own. */
const requirements = {
  main: 'requirements.txt',
  'llama-index': 'requirements-llama-index.txt',
  'google-adk': 'requirements-google-adk.txt',
} as const
type Environment = keyof typeof requirements

type PythonClient = Client & { environment?: Environment }

const withoutDetails = { toSent: only('input', 'output'), reason: 'the instrumentation sends only input and output tokens' }

const withoutReasoning = {
  toSent: only('input', 'output', 'cacheRead', 'cacheWrite'),
  reason: 'the instrumentation does not tell reasoning from other output',
}

const clients: readonly PythonClient[] = [
  {
    name: 'python-anthropic-sdk',
    turnCount: 3,
    texts: { unsent: ['streamed reply'], reason: "Anthropic's client sends no text of a stream" },
  },
  { name: 'python-google-adk', environment: 'google-adk', turnCount: 3 },
  { name: 'python-langfuse-openai', turnCount: 3 },
  { name: 'python-logfire-openai', turnCount: 3 },
  {
    name: 'python-mlflow-openai',
    environment: 'google-adk',
    turnCount: 3,
    usage: withoutReasoning,
  },
  { name: 'python-openai-v2', turnCount: 3, usage: withoutDetails },
  { name: 'python-openinference-anthropic', turnCount: 3 },
  { name: 'python-openinference-langchain', turnCount: 3 },
  { name: 'python-openinference-llama-index', environment: 'llama-index', turnCount: 3 },
  { name: 'python-openinference-openai', turnCount: 3 },
  { name: 'python-openinference-openai-agents', turnCount: 3 },
  { name: 'python-openlit-openai', environment: 'google-adk', turnCount: 3, usage: withoutReasoning },
  { name: 'python-pydantic-ai', turnCount: 3 },
  {
    name: 'python-traceloop-anthropic',
    turnCount: 3,
    // Anthropic's client reports the same responses. Traceloop counts a token too many of a stream (0.62).
    repeatingLibrary: 'opentelemetry.instrumentation.anthropic',
  },
  { name: 'python-traceloop-langchain', turnCount: 3, usage: withoutReasoning },
  {
    name: 'python-traceloop-openai',
    turnCount: 3,
    usage: {
      toSent: ({ isStream, usage }) => (isStream ? { ...usage, reasoning: 0 } : usage),
      reason: 'the instrumentation counts no reasoning of a stream',
    },
  },
  { name: 'python-weave-anthropic', turnCount: 3 },
  { name: 'python-weave-offline', turnCount: 3 },
  { name: 'python-weave-openai', turnCount: 3 },
  {
    name: 'python-weave-reads',
    turnCount: 2,
    texts: { unsent: ['question', 'tool call', 'tool result', 'reply'], reason: 'the program only says hello' },
    notSent: { error: 'no request of the program fails' },
  },
]

export const python: Language = {
  name: 'Python',
  clients,
  install,
  toCommand: (client) => {
    const { environment = 'main' } = clients.find(({ name }) => name === client.name) ?? {}
    return [toInterpreter(environment), join(folder, `${client.name.replace(/^python-/, '')}.py`)]
  },
}

function toInterpreter(environment: string): string {
  return join(cacheFolder, environment, 'bin/python')
}

/** Installs many times faster than pip: it downloads in parallel and shares a package between the environments. */
const uv = 'uv==0.13.9'
const minVersion = [3, 10] as const

async function install(): Promise<string | undefined> {
  const version = await runProcess(['python3', '-c', 'import sys; print(*sys.version_info[:2])'])
  const [major = 0, minor = 0] = version.output.trim().split(' ').map(Number)
  if (version.code !== 0 || major !== minVersion[0] || minor < minVersion[1])
    return `needs python3 ${minVersion.join('.')} or newer`
  const uvProblem = await installOnce('uv', uv, async () => {
    const created = await runProcess(['python3', '-m', 'venv', '--clear', join(cacheFolder, 'uv')])
    if (created.code !== 0) return created
    return runProcess([toInterpreter('uv'), '-m', 'pip', 'install', '--quiet', uv], process.env, installTimeoutMs)
  })
  if (uvProblem !== undefined) return uvProblem
  const uvEnvironment = { ...process.env, UV_CACHE_DIR: join(cacheFolder, 'uv-cache') }
  const runUv = (...parameters: string[]) =>
    runProcess([join(cacheFolder, 'uv/bin/uv'), ...parameters], uvEnvironment, installTimeoutMs)
  for (const [environment, file] of Object.entries(requirements)) {
    const path = join(folder, file)
    const problem = await installOnce(environment, readFileSync(path, 'utf8'), async () => {
      const created = await runUv('venv', '--quiet', '--clear', join(cacheFolder, environment))
      if (created.code !== 0) return created
      return runUv('pip', 'install', '--quiet', '--python', toInterpreter(environment), '--requirements', path)
    })
    if (problem !== undefined) return problem
  }
  return undefined
}

const installTimeoutMs = 300_000

/** Skips what was installed from the same requirements before. Returns the reason if it fails. */
async function installOnce(
  environment: string,
  wanted: string,
  run: () => ReturnType<typeof runProcess>,
): Promise<string | undefined> {
  const record = join(cacheFolder, environment, 'installed-requirements.txt')
  if (existsSync(record) && readFileSync(record, 'utf8') === wanted) return undefined
  const { code, output } = await run()
  if (code !== 0) return `the packages of '${environment}' could not be installed: ${output.trim().split('\n').at(-1) ?? ''}`
  writeFileSync(record, wanted)
  return undefined
}

import { execFileSync } from 'node:child_process'
import { describe, expect, test } from 'vitest'
import { toDestination } from './guide'
import { type Guide, languages } from './guide'
import { buildGuide } from './build-guide'
import { newCallIds } from './curl-guide'
import { clients } from './setup-view'

const password = 'hunter2, "really"'
const projects = ['acme/support', "acme corp/süß'x", 'a"b/$HOME!`id`\\', 'a,b;c=d/50%', '東京/日本 😀']
const openedAt = Date.parse('2026-11-21T10:00:00Z')
const sample = { id: '00f067aa0ba902b7', traceId: '4bf92f3577b34da6a3ce929d0e0e4736' }

function guideFor(client: (typeof clients)[number], language: (typeof languages)[number], projectId: string): Guide {
  const connection = {
    id: '1',
    name: '',
    username: 'kim',
    password,
    baseUrl: 'https://spool.example.com/team a/llm/',
    projectId,
  }
  const destination = toDestination(connection, 'http://page.example.com')
  return buildGuide({ client, language, destination, sample, openedAt })
}

/** Runs a snippet and then `printed` in a shell. Commands that would install or send only print their arguments. */
function runInShell(snippet: string, printed: string): string[] {
  const script = `npm() { :; }; pip() { :; }; curl() { printf '%s\\0' "$@"; }\n${snippet}\n${printed}`
  const env = { PATH: process.env['PATH'] ?? '', SPOOL_KEY: password, HOME: '/nowhere' }
  return execFileSync('sh', ['-c', script], { env, encoding: 'utf8' }).split('\0').slice(0, -1)
}

function variable(snippet: string, name: string): string | undefined {
  return runInShell(snippet, `printf '%s\\0' "\${${name}-unset}"`)[0]
}

/** Parses a list as exporters do: pairs separated by commas, with percent-encoded values. */
function parseList(text: string | undefined): Record<string, string> {
  const pairs = (text ?? '').split(',').map((pair) => {
    const equals = pair.indexOf('=')
    return [pair.slice(0, equals), decodeURIComponent(pair.slice(equals + 1))]
  })
  return Object.fromEntries(pairs)
}

const cases = clients.flatMap((client) =>
  languages.flatMap((language) => projects.map((projectId) => ({ client, language, projectId }))),
)

test.each(cases)('no snippet contains the password: $client in $language for $projectId', ({ client, language, projectId }) => {
  const { steps, threads } = guideFor(client, language, projectId)
  const text = JSON.stringify([steps, threads, steps.map(({ codeToCopy }) => codeToCopy?.())])
  expect(text).not.toContain('hunter2')
  expect(steps.some(({ code }) => code.includes('$SPOOL_KEY'))).toBe(true)
  expect(new Set(steps.map(({ label }) => label)).size).toBe(steps.length)
})

test('clients get the full address even if the connection has none', () => {
  const connection = { id: '1', name: '', username: '', password: '', baseUrl: '', projectId: 'a/b' }
  expect(toDestination(connection, 'http://127.0.0.1:7766')).toEqual({ baseUrl: 'http://127.0.0.1:7766', projectId: 'a/b' })
})

describe.each(projects)('for the project %s', (projectId) => {
  const [entity, project] = projectId.split('/')

  test.each(languages)('Weave in %s gets the server, the password and the project', (language) => {
    const { steps } = guideFor('weave', language, projectId)
    const shell = steps[1]?.code ?? ''
    expect(variable(shell, 'WF_TRACE_SERVER_URL')).toBe('https://spool.example.com/team a/llm')
    expect(variable(shell, 'WANDB_API_KEY')).toBe(password)
    const program = steps[2]?.code ?? ''
    // A JSON text is a string of JavaScript and of Python alike.
    expect(JSON.parse(/\binit\(("(?:[^"\\]|\\.)*")\)/.exec(program)?.[1] ?? '')).toBe(projectId)
    if (language === 'python') expect(variable(shell, 'WANDB_BASE_URL')).toBe('https://spool.example.com/team a/llm')
  })

  test.each(['otel', 'openinference', 'openllmetry'] as const)(
    '%s sends the project in a header if it is ASCII, otherwise as resource attributes',
    (client) => {
      for (const language of languages) {
        const shell = guideFor(client, language, projectId).steps[1]?.code ?? ''
        expect(variable(shell, 'OTEL_EXPORTER_OTLP_ENDPOINT')).toBe('https://spool.example.com/team a/llm/otel')
        expect(variable(shell, 'OTEL_EXPORTER_OTLP_PROTOCOL')).toBe('http/protobuf')
        const headers = parseList(variable(shell, 'OTEL_EXPORTER_OTLP_HEADERS')?.replace(password, 'password'))
        const isAscii = /^[\x20-\x7e]+$/.test(projectId)
        expect(headers).toEqual({ 'wandb-api-key': 'password', ...(isAscii && { project_id: projectId }) })
        const resource = variable(shell, 'OTEL_RESOURCE_ATTRIBUTES')
        if (isAscii) expect(resource).toBe('unset')
        else expect(parseList(resource)).toEqual({ 'wandb.entity': entity, 'wandb.project': project })
      }
    },
  )

  test('curl sends the start and end of one turn, with any characters in the project', () => {
    const step = guideFor('curl', 'typescript', projectId).steps[1]
    const words = runInShell(step?.code ?? '', '')
    expect(words).toContain('https://spool.example.com/team a/llm/call/upsert_batch')
    expect(words[words.indexOf('-u') + 1]).toBe(`api:${password}`)
    expect(JSON.parse(words.at(-1) ?? '')).toMatchObject({
      batch: [
        {
          mode: 'start',
          req: {
            start: {
              project_id: projectId,
              id: sample.id,
              turn_id: sample.id,
              trace_id: sample.traceId,
              started_at: '2026-11-21T09:59:58.750Z',
            },
          },
        },
        { mode: 'end', req: { end: { project_id: projectId, id: sample.id, ended_at: '2026-11-21T10:00:00.000Z' } } },
      ],
    })
  })
})

test.each(['openinference', 'openllmetry'] as const)('the program of %s names the key of OpenAI that it needs', (client) => {
  for (const language of languages) {
    expect(guideFor(client, language, 'a/b').steps.at(-1)?.note).toContain('`OPENAI_API_KEY`')
  }
})

test('a copied curl command has the time of copying', () => {
  const step = guideFor('curl', 'typescript', 'a/b').steps[1]
  const before = Date.now()
  const [endedAt = ''] = /(?<="ended_at": ")[^"]+/.exec(step?.codeToCopy?.() ?? '') ?? []
  expect(Date.parse(endedAt)).toBeGreaterThanOrEqual(before)
})

test('each sample call has its own ids in the form of the contract', () => {
  const [one, other] = [newCallIds(), newCallIds()]
  expect(one.id).toMatch(/^[0-9a-f]{16}$/)
  expect(one.traceId).toMatch(/^[0-9a-f]{32}$/)
  expect(one.id).not.toBe(other.id)
  expect(one.traceId).not.toBe(other.traceId)
})

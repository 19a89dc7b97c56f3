import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'
import type { Page } from 'playwright/test'
import { expect, signInByForm, test } from './fixtures'
import { FaultProxy } from './fault-proxy'
import type { SpoolClient } from './spool-client'
import { writeTurns } from './turns'

const status = (page: Page) => page.getByRole('region', { name: 'Received calls' })

const block = (page: Page, label: string) => page.getByLabel(label, { exact: true })

/** The text that the copy button of this block copies. */
async function copyBlock(page: Page, label: string): Promise<string> {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.getByRole('button', { name: `Copy ${label}` }).click()
  return page.evaluate(() => navigator.clipboard.readText())
}

/** Runs commands in a shell, like a person who pastes them. The program is read from standard input and finds this project's packages. */
async function runInShell(commands: string, { password }: SpoolClient, program = ''): Promise<string> {
  const child = spawn('bash', ['-c', commands], { env: { ...process.env, SPOOL_KEY: password } })
  child.stdin.end(program)
  const exited = new Promise((resolve) => {
    child.on('close', resolve)
  })
  const [output, errors, code] = await Promise.all([text(child.stdout), text(child.stderr), exited])
  if (code !== 0) throw new Error(`The shell ended with ${String(code)}: ${output}${errors}`)
  return output
}

/** The packages are installed already. */
const withoutInstall = (commands: string) => commands.replace(/^npm install(?:.*\\\n)*.*\n/, '')

test('the page opens from the rail, and the address keeps the chosen client and language', async ({
  page,
  projectId,
  service,
  signIn,
}) => {
  await signIn('/queues')
  await expect(page.getByRole('heading', { level: 1, name: 'Queues' })).toBeVisible()
  await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Send data' }).click()
  await expect(page).toHaveURL(/\/send\?project=/)
  await expect(page.getByRole('heading', { level: 1, name: 'Send data' })).toBeFocused()
  await expect(page).toHaveTitle('Send data · Spool')
  await expect(block(page, 'Shell: Weave')).toContainText(`WF_TRACE_SERVER_URL=${service.url}`)

  await page.getByRole('radio', { name: 'OpenInference' }).check()
  await page.getByRole('radio', { name: 'Python' }).check()
  await expect(page).toHaveURL(/\/send\?.*with=openinference&in=python$/)
  await page.reload()
  await expect(page.getByRole('radio', { name: 'OpenInference' })).toBeChecked()
  await expect(page.getByRole('radio', { name: 'Python' })).toBeChecked()
  await expect(block(page, 'Shell: OpenInference')).toContainText(`project_id=${projectId.replace('/', '%2F')}`)
  await expect(block(page, 'first_call.py')).toContainText('using_session')
  await page.goBack()
  await expect(block(page, 'first-call.mjs')).toContainText('setSession')
})

test('after the copied curl command ran, the page shows the received call and its thread', async ({
  page,
  client,
  projectId,
  signIn,
}) => {
  await signIn('/send?with=curl')
  await expect(status(page)).toContainText('Waiting for the first call…')
  const command = await copyBlock(page, 'Shell: curl')
  await runInShell(command, client)
  await expect(status(page)).toContainText('Received: answer')
  await expect(status(page)).toContainText('1 call since you opened this page, 1 in all', { timeout: 20_000 })
  // The same command again sends the same call; a new copy sends another one.
  await runInShell(command, client)
  await runInShell(await copyBlock(page, 'Shell: curl'), client)
  const threads = await client.postLines('/threads/stream_query', { project_id: projectId })
  expect(threads).toMatchObject([{ thread_id: 'ticket-1042', turn_count: 2 }])

  await status(page).getByRole('link', { name: 'Open its thread' }).click()
  await expect(page).toHaveURL(/\/threads\?.*row=ticket-1042/)
  await expect(page.getByRole('complementary').or(page.getByRole('dialog')).first()).toContainText('ticket-1042')
  await expect(page.getByRole('row', { name: /ticket-1042/ })).toBeVisible()
})

test('the calls of the copied Weave program are received', async ({ page, client, signIn }) => {
  await signIn('/send')
  await expect(status(page)).toContainText('Waiting for the first call…')
  const variables = withoutInstall(await copyBlock(page, 'Shell: Weave'))
  const program = await copyBlock(page, 'first-call.mjs')
  expect(await runInShell(`${variables}\nnode --input-type=module`, client, program)).toContain('You asked: Where is my order?')
  await expect(status(page)).toContainText('Received: answer')
  await expect(status(page)).toContainText('It has no thread id')
})

test('an OpenTelemetry exporter with the copied variables sends to this project, even if its name is not ASCII', async ({
  page,
  client,
  projectId,
  signIn,
}) => {
  const program = `
    import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto'
    import { detectResources, envDetector } from '@opentelemetry/resources'
    import { BasicTracerProvider, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-base'
    const resource = detectResources({ detectors: [envDetector] })
    const provider = new BasicTracerProvider({ resource, spanProcessors: [new SimpleSpanProcessor(new OTLPTraceExporter())] })
    const attributes = { 'wandb.thread_id': 'ticket-7', 'wandb.is_turn': true }
    provider.getTracer('test').startSpan('reply', { attributes }).end()
    await provider.shutdown()`
  const password = client.password.replaceAll(' ', '%20')
  await signIn('/connection')
  for (const project of [projectId, `${projectId} süß'x`]) {
    await page.goto(`/send?with=otel&project=${encodeURIComponent(project)}`)
    await expect(status(page)).toContainText('Waiting for the first call…')
    const variables = await copyBlock(page, 'Shell: variables')
    await runInShell(`SPOOL_KEY=${password}\n${variables}\nnode --input-type=module`, client, program)
    await expect(status(page)).toContainText('Received: reply')
    const threads = await client.postLines('/threads/stream_query', { project_id: project })
    expect(threads).toMatchObject([{ thread_id: 'ticket-7', turn_count: 1 }])
  }
})

test('only calls received after the page was opened count as new', async ({ page, client, projectId, signIn }) => {
  const anHourAgo = Date.now() - 3_600_000
  await writeTurns(client, projectId, [{ threadId: 'old', startedAt: anHourAgo, durationMs: 5 }])
  await signIn('/send')
  await expect(status(page)).toContainText('no call since you opened this page')
  await expect(status(page)).toContainText(`started 1 h ago. 1 call in ${projectId}`)
  await writeTurns(client, projectId, [{ threadId: 'older', startedAt: anHourAgo - 1000, durationMs: 5 }])
  await expect(status(page)).toContainText('Received: 1 call')
  await writeTurns(client, projectId, [{ threadId: 'new', startedAt: Date.now(), durationMs: 5 }])
  await expect(status(page)).toContainText('Received: answer')
  // From here on the page polls every ten seconds.
  await expect(status(page)).toContainText('2 calls since you opened this page, 3 in all', { timeout: 20_000 })
})

test('the page stops polling a server that cannot list calls', async ({ page, projectId, service, expectedConsoleErrors }) => {
  expectedConsoleErrors.push('404')
  let requestCount = 0
  const proxy = await FaultProxy.start(service.url, ({ url }) => {
    const isMissing = url?.startsWith('/calls/') ?? false
    if (isMissing) requestCount += 1
    return { isMissing }
  })
  await page.clock.install()
  await page.goto(`${proxy.url}/connection`)
  await signInByForm(page, projectId)
  await page.goto(`${proxy.url}/send`)
  await expect(status(page)).toContainText('This server cannot list calls')
  await expect(block(page, 'Shell: Weave')).toContainText(`WF_TRACE_SERVER_URL=${proxy.url}`)
  await page.clock.runFor(60_000)
  expect(requestCount).toBe(2)
  proxy.close()
})

test('the page reports an unreachable server and notices its return', async ({
  page,
  client,
  projectId,
  signIn,
  expectedConsoleErrors,
}) => {
  expectedConsoleErrors.push('ERR_CONNECTION_REFUSED')
  await signIn('/send')
  await expect(status(page)).toContainText('Waiting for the first call…')
  let isDown = true
  await page.route('**/calls/**', (route) => (isDown ? route.abort('connectionrefused') : route.continue()))
  await expect(status(page)).toContainText('The server does not respond')
  isDown = false
  await writeTurns(client, projectId, [{ threadId: 'back', startedAt: Date.now(), durationMs: 5 }])
  await expect(status(page)).toContainText('Received: answer')
})

test('the keyboard alone can choose a client and copy a block', async ({ page, signIn }) => {
  await signIn('/send')
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.getByRole('radio', { name: 'Weave' }).focus()
  await page.keyboard.press('ArrowRight')
  await expect(page.getByRole('radio', { name: 'OpenTelemetry' })).toBeFocused()
  await expect(page).toHaveURL(/with=otel/)
  await page.keyboard.press('Tab')
  await expect(page.getByRole('button', { name: 'Copy Shell: password' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('status').filter({ hasText: 'Copied' })).toBeAttached()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toContain('SPOOL_KEY')
  await page.keyboard.press('Tab')
  await expect(block(page, 'Shell: password')).toBeFocused()

  await page.keyboard.press('g')
  await page.keyboard.press('t')
  await expect(page).toHaveURL(/\/threads/)
  await page.keyboard.press('g')
  await page.keyboard.press('s')
  await expect(page.getByRole('heading', { level: 1, name: 'Send data' })).toBeFocused()
})

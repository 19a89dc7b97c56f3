import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, readTable, test } from './fixtures'

const command = join(process.cwd(), 'src/service/cli/spool.mjs')

test('one command imports calls and prices of files, and the pages show them', async ({
  page,
  client,
  projectId,
  signIn,
}, info) => {
  const calls = Array.from({ length: 30 }, (_, n) => {
    const id = (n + 1).toString(16).padStart(16, '0')
    return {
      id,
      project_id: 'exported/elsewhere',
      trace_id: id.repeat(2),
      op_name: 'answer',
      thread_id: `imported-${n % 3}`,
      turn_id: id,
      started_at: '2026-01-31T09:30:00Z',
      ended_at: '2026-01-31T09:30:02Z',
      attributes: {},
      inputs: {},
      summary: { weave: { status: 'success' } },
    }
  })
  const [callsFile, pricesFile] = [info.outputPath('calls.jsonl'), info.outputPath('prices.csv')]
  writeFileSync(callsFile, calls.map((call) => `${JSON.stringify(call)}\n`).join(''))
  writeFileSync(pricesFile, 'llm_id,prompt_cost_per_million,completion_cost_per_million\nhouse-model,1.1,4.4\n')

  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [command, 'import', callsFile, pricesFile, '--project', projectId, '--url', client.url],
    {
      encoding: 'utf8',
      env: {
        ...process.env,
        SPOOL_DATA: info.outputPath('data'),
        SPOOL_USERNAME: client.username,
        SPOOL_PASSWORD: client.password,
      },
    },
  )
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  expect(stdout).toContain('calls.jsonl: 30 calls stored')
  expect(stdout).toContain(`prices.csv: 1 price stored in ${projectId}.`)

  await signIn('/threads')
  await expect
    .poll(async () => (await readTable(page, 'Threads')).map((row) => [row['Thread'], row['Turns']]))
    .toEqual([0, 1, 2].map((n) => [expect.stringContaining(`imported-${n}`), '10']))
  await page.goto('/costs')
  await page.getByRole('searchbox', { name: /Search model/ }).fill('house-model')
  await expect.poll(async () => (await readTable(page, 'Model costs in force'))[0]?.['Prompt']).toMatch(/^1\.1/)
})

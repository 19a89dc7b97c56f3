import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { join } from 'node:path'
import { text as readText } from 'node:stream/consumers'
import { gzipSync } from 'node:zlib'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { maxBodyBytes } from '../../http/read-body'
import { listen } from '../../listen'
import { parseJsonLines, reviewer } from '../../testing/test-app'
import { createExportedCall, openTestImport, type TestImport, toCallId } from './testing/test-import'

let spool: TestImport
beforeAll(async () => {
  spool = await openTestImport()
})
afterEach(() => spool.intercept(undefined))
afterAll(() => spool.close())

function toLines(callNumbers: readonly number[], projectId: string): string {
  return callNumbers.map((n) => `${JSON.stringify(createExportedCall(n, projectId))}\n`).join('')
}

function range(count: number): number[] {
  return Array.from({ length: count }, (_, n) => n)
}

describe('calls', () => {
  test('are stored as they were exported, without their computed values', async () => {
    const { code, stdout, stderr } = await spool.run([spool.writeFile(toLines(range(25), 'acme/whole'), 'calls.jsonl')])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toMatch(/^calls\.jsonl: 25 calls stored in \d+ s\.\n$/)
    const calls = await spool.calls('acme/whole')
    expect(calls).toHaveLength(25)
    expect(calls[4]).toEqual({
      id: toCallId(4),
      project_id: 'acme/whole',
      op_name: 'answer',
      thread_id: 'thread-0',
      is_finished: 1,
      inputs: '{"question":"Where is order 4?"}',
      summary: '{"usage":{"gpt-4o":{"prompt_tokens":10,"completion_tokens":3}}}',
    })
    expect(calls[3]?.is_finished).toBe(0)
  })

  test('that this service exports are the same after an import', async () => {
    const exportCalls = async (projectId: string) => {
      const response = await spool.app.post('/calls/stream_query', { project_id: projectId })
      expect(response.status).toBe(200)
      return await response.text()
    }
    const failed = {
      ...createExportedCall(40, 'acme/export'),
      exception: 'ValueError: no — 🧵',
      display_name: 'Answer',
      summary: {},
    }
    await spool.run([spool.writeFile(`${toLines(range(30), 'acme/export')}${JSON.stringify(failed)}\n`)])
    const exported = await exportCalls('acme/export')
    expect(parseJsonLines(exported)).toHaveLength(31)
    const { code } = await spool.run([spool.writeFile(exported), '--project', 'acme/import'])
    expect(code).toBe(0)
    const imported = await exportCalls('acme/import')
    expect(parseJsonLines(imported)).toEqual(parseJsonLines(exported.replaceAll('acme/export', 'acme/import')))
  })

  test('are stored once, however often a file is imported', async () => {
    const file = spool.writeFile(toLines(range(50), 'acme/twice'))
    await spool.run([file])
    const once = await spool.calls('acme/twice')
    expect((await spool.run([file])).stdout).toContain('50 calls stored')
    expect(await spool.calls('acme/twice')).toEqual(once)
  })

  test('go into the project of the command line, whichever project they name', async () => {
    const file = spool.writeFile(toLines([1], 'acme/here') + toLines([2], 'acme/there'))
    expect((await spool.run([file, '--project', 'acme/ünd so'])).code).toBe(0)
    expect((await spool.calls('acme/ünd so')).map(({ id }) => id)).toEqual([toCallId(1), toCallId(2)])
    expect(await spool.calls('acme/here')).toEqual([])
  })

  test('of several projects go into the project that each of them names', async () => {
    const file = spool.writeFile(toLines([1], 'acme/one') + toLines([2], 'acme/two') + toLines([3], 'acme/one'))
    expect((await spool.run([file])).code).toBe(0)
    expect((await spool.calls('acme/one')).map(({ id }) => id)).toEqual([toCallId(1), toCallId(3)])
    expect((await spool.calls('acme/two')).map(({ id }) => id)).toEqual([toCallId(2)])
  })

  test('with empty fields do not replace the values that are stored already', async () => {
    const whole = createExportedCall(1, 'acme/partial')
    const partial = { ...whole, inputs: {}, attributes: {}, summary: { weave: { status: 'running' } } }
    await spool.run([spool.writeFile(`${JSON.stringify(whole)}\n`)])
    await spool.run([spool.writeFile(`${JSON.stringify(partial)}\n`)])
    expect(await spool.calls('acme/partial')).toEqual([
      expect.objectContaining({ inputs: '{"question":"Where is order 1?"}', summary: expect.stringContaining('"usage"') }),
    ])
  })

  test.each([
    ['a last line without an ending', (text: string) => text.trimEnd()],
    ['CRLF', (text: string) => text.replaceAll('\n', '\r\n')],
    ['a byte order mark', (text: string) => `\ufeff${text}`],
    ['blank lines', (text: string) => `\n${text.replaceAll('\n', '\n \n')}`],
    ['gzip', (text: string) => gzipSync(text)],
    ['gzip in two members', (text: string) => Buffer.concat([gzipSync(text.slice(0, 700)), gzipSync(text.slice(700))])],
  ])('are read from a file with %s', async (name, encode) => {
    const projectId = `acme/${name}`
    const { code, stderr } = await spool.run([spool.writeFile(encode(toLines(range(12), projectId)))])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(await spool.calls(projectId)).toHaveLength(12)
  })

  test('can be imported with a password alone, which identifies its user', async () => {
    const file = spool.writeFile(toLines([1], 'acme/support'))
    expect((await spool.run([file], { SPOOL_USERNAME: '', SPOOL_PASSWORD: reviewer.password })).code).toBe(0)
  })

  test('that were deleted are skipped and counted', async () => {
    const deleted = { ...createExportedCall(1, 'acme/deleted'), deleted_at: '2026-01-31T00:00:00Z' }
    const { code, stdout } = await spool.run([spool.writeFile(`${JSON.stringify(deleted)}\n${toLines([2], 'acme/deleted')}`)])
    expect(code).toBe(0)
    expect(stdout).toContain('1 call stored')
    expect(stdout).toContain('  Skipped: deleted calls (1).')
    expect((await spool.calls('acme/deleted')).map(({ id }) => id)).toEqual([toCallId(2)])
  })
})

describe('a refused line', () => {
  test('is printed with its number and the right form, and all other lines are stored', async () => {
    const bad = (n: number, change: object) => JSON.stringify({ ...createExportedCall(n, 'acme/bad'), ...change })
    const content = Buffer.concat([
      Buffer.from(toLines([0], 'acme/bad')),
      Buffer.from('{"id": "00\n'),
      Buffer.from([0xff, 0xfe, 0x00, 0x0a]),
      Buffer.from('[1]\n'),
      Buffer.from(`${bad(1, { id: 'X', trace_id: undefined })}\n`),
      Buffer.from(`${bad(2, { started_at: 'yesterday' })}\n`),
      Buffer.from(`${'['.repeat(600)}${']'.repeat(600)}\n`),
      Buffer.from(toLines([3], 'acme/bad')),
    ])
    const file = spool.writeFile(content)
    const { code, stdout, stderr } = await spool.run([file])
    expect(code).toBe(2)
    expect(stdout).toMatch(/: 2 calls stored in .*\n {2}6 lines refused\.\n$/)
    expect(stderr.trim().split('\n')).toEqual([
      `${file}:2: The line is not valid JSON. Expected a JSON object.`,
      `${file}:3: The line is not valid UTF-8.`,
      `${file}:4: The line is not a JSON object. Expected one object per line.`,
      `${file}:5: id: Must be 16 lower-case hex digits or a lower-case UUID. trace_id: Field required: a string.`,
      `${file}:6: started_at: Unreadable time 'yesterday'. Expected ISO 8601 with Z or an offset, such as 2026-01-31T09:30:00Z.`,
      `${file}:7: The line is nested too deeply: at most 500 levels.`,
    ])
    expect((await spool.calls('acme/bad')).map(({ id }) => id)).toEqual([toCallId(0), toCallId(3)])
  })

  test('after the twentieth is only counted, and is written to a report that the user names', async () => {
    const file = spool.writeFile(`${toLines([0], 'acme/many')}${'{"op_name":1}\n'.repeat(2500)}`)
    const { code, stdout, stderr } = await spool.run([file])
    expect(code).toBe(2)
    expect(stderr.trim().split('\n')).toHaveLength(20)
    expect(stdout).toContain('  2,500 lines refused.\n  The first 20 are shown. --report <file> writes all of them to a file.\n')
    expect(spool.requests.filter((path) => path.includes('/undefined/'))).toEqual([])

    const second = await spool.run([file, '--report', 'refused.jsonl'])
    expect(second.stdout).not.toContain('--report')
    const report = join(spool.folder, 'refused.jsonl')
    const lines = parseJsonLines(readFileSync(report, 'utf8'))
    expect(lines).toHaveLength(2500)
    expect(lines[0]).toEqual({ file, line: 2, msg: expect.stringContaining('project_id: Field required') })
    expect(statSync(report).mode & 0o777).toBe(0o600)
  })

  test('that is too long for a request is named with the limit', async () => {
    const long = JSON.stringify({ ...createExportedCall(1, 'acme/long'), inputs: 'x'.repeat(40 * 1024 * 1024) })
    const fitting = JSON.stringify({ ...createExportedCall(2, 'acme/long'), inputs: 'x'.repeat(1024 * 1024) })
    const { code, stderr } = await spool.run([
      spool.writeFile(`${toLines([0], 'acme/long')}${long}\n${fitting}\n${toLines([3], 'acme/long')}`),
    ])
    expect(code).toBe(2)
    expect(stderr).toMatch(new RegExp(`:2: The line is longer than ${maxBodyBytes - 64} bytes`))
    expect((await spool.calls('acme/long')).map(({ id }) => id)).toEqual([toCallId(0), toCallId(2), toCallId(3)])
  })

  test('by the rules of the service is printed with the message of the service', async () => {
    // The local check accepts these calls. The response is that of a service with stricter rules.
    let responseCount = 0
    spool.intercept((request, response) => {
      request.resume()
      responseCount += 1
      response.setHeader('content-type', 'application/json')
      response.end('{"res":[{},{"error":{"loc":["body","batch","1","op_name"],"msg":"No such op.","type":"value_error"}},{}]}')
      return true
    })
    const { code, stdout, stderr } = await spool.run([spool.writeFile(toLines([0, 1, 2], 'acme/strict'))])
    expect({ code, responseCount }).toEqual({ code: 2, responseCount: 1 })
    expect(stdout).toContain('2 calls stored')
    expect(stderr).toMatch(/:2: op_name: No such op\.\n$/)
  })

  test('that the service alone finds too deep is refused alone', async () => {
    // The line has 499 levels, which the local check accepts. The batch around it has two more.
    const deep = JSON.stringify({ ...createExportedCall(5, 'acme/deep'), inputs: 0 }).replace(
      '"inputs":0',
      `"inputs":${'['.repeat(498)}${']'.repeat(498)}`,
    )
    const content = `${toLines(range(5), 'acme/deep')}${deep}\n${toLines([6, 7], 'acme/deep')}`
    const { code, stderr } = await spool.run([spool.writeFile(content)])
    expect(code).toBe(2)
    expect(stderr).toMatch(/^\S+:6: This item is nested too deeply: at most 498 levels\.\n$/)
    expect(await spool.calls('acme/deep')).toHaveLength(7)
  })

  test('in a batch that is refused as a whole is found by sending halves', async () => {
    // Each names the call 10 as its turn.
    const sent = [11, 12, 13, 14, 15, 16, 17, 18]
    const stored: number[] = []
    const answer = async (request: IncomingMessage, response: ServerResponse) => {
      const body = await readText(request)
      const isBad = body.includes(toCallId(16))
      response.writeHead(isBad ? 422 : 200, { 'content-type': 'application/json' })
      response.end(isBad ? '{"detail":[{"loc":["body"],"msg":"No.","type":"value_error"}]}' : '{}')
      if (!isBad) stored.push(...sent.filter((n) => body.includes(toCallId(n))))
    }
    spool.intercept((request, response) => {
      void answer(request, response)
      return true
    })
    const { code, stderr } = await spool.run([spool.writeFile(toLines(sent, 'acme/halves'))])
    expect(code).toBe(2)
    expect(stderr).toMatch(/^\S+:6: No\.\n$/)
    expect(stored.toSorted((left, right) => left - right)).toEqual(sent.filter((n) => n !== 16))
  })

  test('is printed without control characters', async () => {
    const line = JSON.stringify({ ...createExportedCall(1), started_at: '\u001b]0;title\u0007' })
    const { stderr } = await spool.run([spool.writeFile(`${line}\n`)])
    expect(stderr).toContain("Unreadable time '\ufffd]0;title\ufffd'")
  })
})

describe('a busy service', () => {
  test('gets the request again after the time that it asks for', async () => {
    const statuses = [429, 503, 429]
    const times: number[] = []
    spool.intercept((request, response) => {
      times.push(performance.now())
      const status = statuses.shift()
      if (status === undefined) return false
      request.resume()
      response.statusCode = status
      if (times.length === 1) response.setHeader('retry-after', '1')
      response.end('{"detail":[{"loc":[],"msg":"Too many requests.","type":"overloaded"}]}')
      return true
    })
    const { code, stdout } = await spool.run([spool.writeFile(toLines([1], 'acme/busy'))])
    expect(code).toBe(0)
    expect(stdout).toContain(' 1 call stored')
    expect(times).toHaveLength(4)
    expect((times[1] ?? 0) - (times[0] ?? 0)).toBeGreaterThanOrEqual(990)
    expect(await spool.calls('acme/busy')).toHaveLength(1)
  })

  test('that drops connections gets the same requests again', async () => {
    let droppedCount = 0
    spool.intercept((request) => {
      if (droppedCount >= 2) return false
      droppedCount += 1
      request.socket.destroy()
      return true
    })
    expect((await spool.run([spool.writeFile(toLines(range(10), 'acme/dropped'))])).code).toBe(0)
    expect(await spool.calls('acme/dropped')).toHaveLength(10)
  })

  test('ends the import when it accepts nothing for too long', async () => {
    spool.intercept((request, response) => {
      request.resume()
      response.statusCode = 503
      response.end('{"detail":[{"loc":[],"msg":"The store is not available.","type":"unavailable"}]}')
      return true
    })
    const { code, stdout, stderr } = await spool.run([spool.writeFile(toLines([1], 'acme/away'))])
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toBe(`The import cannot continue: ${spool.url} accepted nothing for 2 s: The store is not available.\n`)
  })

  test('gets no more than four requests at a time', async () => {
    let openCount = 0
    let maxOpenCount = 0
    let isReleased = false
    const release: (() => void)[] = []
    spool.intercept((request, response) => {
      request.resume()
      openCount += 1
      maxOpenCount = Math.max(maxOpenCount, openCount)
      const respond = () => {
        openCount -= 1
        response.end('{"res":[]}')
      }
      if (isReleased) respond()
      else release.push(respond)
      // Responds to all of them after a while in which a fifth request could arrive.
      if (release.length === 4 && !isReleased) {
        setTimeout(() => {
          isReleased = true
          for (const each of release) each()
        }, 300)
      }
      return true
    })
    const { stdout } = await spool.run([spool.writeFile(toLines(range(9500), 'acme/concurrent'))])
    expect(stdout).toContain('9,500 calls stored')
    expect(maxOpenCount).toBe(4)
  })
})

describe('the import cannot continue', () => {
  /** Imports, and returns the only line that it prints. */
  const runToError = async (parameters: readonly string[], variables: Record<string, string> = {}) => {
    const { code, stdout, stderr } = await spool.run(parameters, variables)
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    const [only, ...others] = stderr.trim().split('\n')
    expect(others).toEqual([])
    return only?.replace('The import cannot continue: ', '')
  }

  test('with wrong or missing credentials', async () => {
    const file = spool.writeFile(toLines([1], 'acme/secret'))
    expect(await runToError([file], { SPOOL_PASSWORD: 'wrong' })).toContain('does not accept this user name and password')
    expect(await runToError([file], { SPOOL_PASSWORD: '' })).toContain('SPOOL_USERNAME is set and SPOOL_PASSWORD is not')
    const none = { SPOOL_USERNAME: '', SPOOL_PASSWORD: '', SPOOL_DATA: join(spool.folder, 'none') }
    expect(await runToError([file], none)).toContain(`There is no users.json in ${spool.folder}/none`)
    mkdirSync(join(spool.folder, 'few'))
    writeFileSync(join(spool.folder, 'few/users.json'), JSON.stringify([reviewer]))
    expect(await runToError([file], { ...none, SPOOL_DATA: join(spool.folder, 'few') })).toContain(
      'no user with access to every project',
    )
    expect(await spool.calls('acme/secret')).toEqual([])
  })

  test('with a project that the user has no access to', async () => {
    const variables = { SPOOL_USERNAME: reviewer.username, SPOOL_PASSWORD: reviewer.password }
    const file = spool.writeFile(toLines([1], 'acme/forbidden'))
    expect(await runToError([file], variables)).toMatch(
      /^The user 'Rëviewer' has no access to this project\. Name another with --project/,
    )
    expect(await spool.calls('acme/forbidden')).toEqual([])
    const { code } = await spool.run([file, '--project', 'acme/support'], variables)
    expect(code).toBe(0)
    expect(await spool.calls('acme/support')).toHaveLength(1)
    const prices = spool.writeFile('llm_id,prompt_token_cost,completion_token_cost\nm,1,1\n', 'forbidden.csv')
    expect(await runToError([prices, '--project', 'acme/forbidden'], variables)).toContain('no access to this project')
  })

  test('with an address that is wrong, unsafe or without a service', async () => {
    const file = spool.writeFile(toLines([1], 'acme/nowhere'))
    const closed = createServer()
    const url = await listen(closed, '127.0.0.1', 0)
    await new Promise((done) => closed.close(done))
    expect(await runToError([file, '--url', url])).toBe(
      `No service at ${url} (ECONNREFUSED). Start Spool with npm start, or name another address with --url.`,
    )
    // fetch() refuses this port.
    expect(await runToError([file, '--url', 'http://127.0.0.1:9'])).toBe('http://127.0.0.1:9 cannot be reached: bad port.')
    expect(await runToError([file, '--url', 'http://spool.example.com'])).toContain('unencrypted to spool.example.com')
    expect(await runToError([file, '--url', 'https://spool.example.com'], { SPOOL_USERNAME: '', SPOOL_PASSWORD: '' })).toContain(
      'is another machine. Set SPOOL_USERNAME and SPOOL_PASSWORD',
    )
    const withPassword = await runToError([file, '--url', 'http://me:hidden@127.0.0.1:9'])
    expect(withPassword).toContain('--url must not contain credentials')
    expect(withPassword).not.toContain('hidden')
    expect(await runToError([file, '--url', 'ftp://x'])).toContain('--url must be an address such as')
  })

  test('with an address that redirects or is not Spool', async () => {
    const file = spool.writeFile(toLines([1], 'acme/elsewhere'))
    spool.intercept((request, response) => {
      request.resume()
      response.writeHead(307, { location: 'https://elsewhere.example.com/' }).end()
      return true
    })
    expect(await runToError([file])).toContain(
      'redirects to another address (https://elsewhere.example.com/). Name that address with --url',
    )
    spool.intercept((request, response) => {
      request.resume()
      response.end('<html>')
      return true
    })
    expect(await runToError([file])).toContain('is unknown: this is not Spool, or another version')
    spool.intercept(undefined)
    expect(await runToError([file, '--url', `${spool.url}/below`])).toContain('it is not Spool, or an older version')
  })

  test('with a file that cannot be imported, and nothing of the other files is sent', async () => {
    const good = spool.writeFile(toLines([1], 'acme/untouched'))
    expect(await runToError([good, 'missing.jsonl'])).toBe('missing.jsonl: There is no such file.')
    expect(await runToError([good, '.'])).toBe('. is not a regular file.')
    expect(spawnSync('sh', ['-c', 'mkfifo pipe'], { cwd: spool.folder }).status).toBe(0)
    expect(await runToError([good, 'pipe'])).toBe('pipe is not a regular file.')
    const noise = spool.writeFile(Uint8Array.from(range(4000), (n) => (n * 7919) % 256))
    expect(await runToError([good, noise])).toBe(
      `${noise} does not show its format. Name it with --as: calls, traces, litellm-prices, csv-prices.`,
    )
    const prices = spool.writeFile('llm_id,prompt_token_cost,completion_token_cost\n', 'no-project.csv')
    expect(await runToError([good, prices])).toBe(
      'no-project.csv: Prices belong to a project. Name it with --project <entity>/<project>.',
    )
    expect(await spool.calls('acme/untouched')).toEqual([])
  })

  test('with wrong options', async () => {
    const file = spool.writeFile(toLines([1], 'acme/options'))
    expect(await runToError([])).toContain('Name at least one file')
    expect(await runToError(['x', '--as', 'parquet'])).toBe(
      "--as: there is no format 'parquet'. Supported: calls, traces, litellm-prices, csv-prices.",
    )
    expect(await runToError(['x', '--project', 'acme'])).toContain("--project: Must be '<entity>/<project>'")
    expect(await runToError(['x', '--password', 'y'])).toContain("Unknown option '--password'")
    expect(await runToError([file, '--report', 'missing/refused.jsonl'])).toContain('--report: ENOENT')
    expect(await runToError([file, '--report', file])).toBe(`--report: ${file} is one of the files to import.`)
  })

  test('after the place where a gzip file is incomplete', async () => {
    // The output is noise, so that 20,000 bytes of gzip hold more than a few lines.
    const lines = range(3000).map((n) => {
      const call = { ...createExportedCall(n, 'acme/incomplete'), output: Math.sin(n).toString(36).repeat(20) }
      return `${JSON.stringify(call)}\n`
    })
    const gzip = gzipSync(lines.join(''))
    const file = spool.writeFile(gzip.subarray(0, gzip.length - 20_000))
    const { code, stderr } = await spool.run([file])
    expect(code).toBe(1)
    expect(stderr).toBe(`The import cannot continue: ${file}: The gzip data is incomplete.\n`)
    expect((await spool.calls('acme/incomplete')).length % 1000).toBe(0)
  })
})

test('an empty file, and a file of blank lines, have nothing to import', async () => {
  const files = [spool.writeFile(''), spool.writeFile('\n\r\n'), spool.writeFile('', 'empty.csv')]
  const { code, stdout } = await spool.run(files)
  expect(code).toBe(0)
  expect(stdout).toBe(files.map((file) => `${file}: the file is empty.\n`).join(''))
})

test('a file of a named format is refused line by line where it is something else', async () => {
  const { code, stderr } = await spool.run([spool.writeFile(Buffer.from([1, 2, 10, 255, 10])), '--as', 'calls'])
  expect(code).toBe(2)
  expect(stderr).toMatch(/^\S+:1: The line is not valid JSON[^\n]*\n\S+:2: The line is not valid UTF-8\.\n$/)
})

test('--help explains the command', async () => {
  expect(await spool.run(['--help'])).toEqual({
    code: 0,
    stdout: expect.stringMatching(/^Usage: spool import <file>/),
    stderr: '',
  })
})

test('a symbolic link is read as its file', async () => {
  symlinkSync(join(spool.folder, spool.writeFile(toLines([1], 'acme/linked'))), join(spool.folder, 'link.jsonl'))
  expect((await spool.run(['link.jsonl'])).stdout).toContain('link.jsonl: 1 call stored')
})

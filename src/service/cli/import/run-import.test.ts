import { mkdirSync, readFileSync, readdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { maxBodyBytes } from '../../http/read-body'
import { listen } from '../../listen'
import { parseJsonLines as linesIn, reviewer } from '../../testing/test-app'
import { callId, exportedCall, type ImportTestPlace, openImportPlace } from './testing/import-place'

let place: ImportTestPlace
beforeAll(async () => {
  place = await openImportPlace()
})
afterEach(() => place.meddle(undefined))
afterAll(() => place.close())

let files = 0
function write(content: string | Uint8Array, name = `file-${(files += 1)}.jsonl`): string {
  writeFileSync(join(place.folder, name), content)
  return name
}

function linesOf(which: readonly number[], projectId: string): string {
  return which.map((n) => `${JSON.stringify(exportedCall(n, projectId))}\n`).join('')
}

function numbers(count: number): number[] {
  return Array.from({ length: count }, (_, n) => n)
}

/** Answers as to a stranger where a request has fewer bytes. */
function refuseBelow(bytes: number): void {
  place.meddle((request, response) => {
    if (Number(request.headers['content-length']) >= bytes) return false
    request.resume()
    response.statusCode = 401
    response.end('{"detail":[]}')
    return true
  })
}

/** The problems of the report that an import has named. */
function reportIn(text: string): unknown[] {
  const path = /(\S+\.problems\.jsonl)/.exec(text)?.[1] ?? ''
  return readFileSync(path, 'utf8')
    .trim()
    .split('\n')
    .map((line): unknown => JSON.parse(line))
}

describe('calls', () => {
  test('arrive as they were exported, without what is derived of them', async () => {
    const { code, stdout, stderr } = await place.run([write(linesOf(numbers(25), 'acme/whole'))])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toMatch(/^file-\d+\.jsonl: 25 calls stored in \d+ s, [\d,]+ a second\.\n$/)
    const calls = await place.calls('acme/whole')
    expect(calls).toHaveLength(25)
    expect(calls[4]).toEqual({
      id: callId(4),
      project_id: 'acme/whole',
      op_name: 'answer',
      thread_id: 'thread-0',
      is_finished: 1,
      inputs: '{"question":"Where is order 4?"}',
      summary: '{"usage":{"gpt-4o":{"prompt_tokens":10,"completion_tokens":3}}}',
    })
    expect(calls[3]?.is_finished).toBe(0)
  })

  test('that this service exports come back the same', async () => {
    const exported = async (projectId: string) => {
      const answer = await place.app.post('/calls/stream_query', { project_id: projectId })
      expect(answer.status).toBe(200)
      return await answer.text()
    }
    const failed = { ...exportedCall(40, 'acme/export'), exception: 'ValueError: no — 🧵', display_name: 'Answer', summary: {} }
    await place.run([write(`${linesOf(numbers(30), 'acme/export')}${JSON.stringify(failed)}\n`)])
    const before = await exported('acme/export')
    expect(linesIn(before)).toHaveLength(31)
    const { code } = await place.run([write(before), '--project', 'acme/import'])
    expect(code).toBe(0)
    expect(linesIn(await exported('acme/import'))).toEqual(linesIn(before.replaceAll('acme/export', 'acme/import')))
  })

  test('go into the project that is named, whichever they are of', async () => {
    const { code } = await place.run([write(linesOf([1], 'acme/here') + linesOf([2], 'acme/there')), '--project', 'acme/ünd so'])
    expect(code).toBe(0)
    expect((await place.calls('acme/ünd so')).map(({ id }) => id)).toEqual([callId(1), callId(2)])
    expect(await place.calls('acme/here')).toEqual([])
  })

  test('of several projects go each into its own', async () => {
    const { code } = await place.run([write(linesOf([1], 'acme/one') + linesOf([2], 'acme/two') + linesOf([3], 'acme/one'))])
    expect(code).toBe(0)
    expect((await place.calls('acme/one')).map(({ id }) => id)).toEqual([callId(1), callId(3)])
    expect((await place.calls('acme/two')).map(({ id }) => id)).toEqual([callId(2)])
  })

  test('leave alone what a call has said elsewhere, where the export has it empty', async () => {
    const whole = exportedCall(1, 'acme/partial')
    const partial = { ...whole, inputs: {}, attributes: {}, summary: { weave: { status: 'running' } } }
    await place.run([write(`${JSON.stringify(whole)}\n`)])
    await place.run([write(`${JSON.stringify(partial)}\n`)])
    expect(await place.calls('acme/partial')).toEqual([
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
  ])('are read from a file with %s', async (name, written) => {
    const projectId = `acme/${name}`
    const { code, stderr } = await place.run([write(written(linesOf(numbers(12), projectId)))])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(await place.calls(projectId)).toHaveLength(12)
  })

  test('are sent by whom the password alone identifies', async () => {
    const file = write(linesOf([1], 'acme/support'))
    expect((await place.run([file], { variables: { SPOOL_USERNAME: '', SPOOL_PASSWORD: reviewer.password } })).code).toBe(0)
  })

  test('that were deleted are left out and counted', async () => {
    const deleted = { ...exportedCall(1, 'acme/deleted'), deleted_at: '2026-01-31T00:00:00Z' }
    const { code, stdout } = await place.run([write(`${JSON.stringify(deleted)}\n${linesOf([2], 'acme/deleted')}`)])
    expect(code).toBe(0)
    expect(stdout).toContain('1 call stored')
    expect(stdout).toContain('left out: calls that were deleted (1)')
    expect((await place.calls('acme/deleted')).map(({ id }) => id)).toEqual([callId(2)])
  })
})

describe('a line that cannot be stored', () => {
  test('is told with its number and what would be right, and its neighbours are stored', async () => {
    const bad = (n: number, change: object) => JSON.stringify({ ...exportedCall(n, 'acme/bad'), ...change })
    const content = Buffer.concat([
      Buffer.from(linesOf([0], 'acme/bad')),
      Buffer.from('{"id": "00\n'),
      Buffer.from([0xff, 0xfe, 0x00, 0x0a]),
      Buffer.from('[1]\n'),
      Buffer.from(`${bad(1, { id: 'X', trace_id: undefined })}\n`),
      Buffer.from(`${bad(2, { started_at: 'yesterday' })}\n`),
      Buffer.from(`${'['.repeat(600)}${']'.repeat(600)}\n`),
      Buffer.from(linesOf([3], 'acme/bad')),
    ])
    const file = write(content)
    const { code, stdout, stderr } = await place.run([file])
    expect(code).toBe(2)
    expect(stdout).toMatch(/: 2 calls stored in .*\n {2}6 lines refused: \S+\.problems\.jsonl\n$/)
    const told = [
      [2, 'The line is not valid JSON. Expected a JSON object.'],
      [3, 'The line is not valid UTF-8.'],
      [4, 'The line is not a JSON object. Expected one object per line.'],
      [5, 'id: Must be 16 lower-case hex digits or a lower-case UUID. trace_id: Field required: a string.'],
      [6, "started_at: Unreadable time 'yesterday'. Expected ISO 8601 with Z or an offset, such as 2026-01-31T09:30:00Z."],
      [7, 'The line is nested too deeply: at most 500 levels.'],
    ] as const
    expect(stderr.trim().split('\n')).toEqual(told.map(([line, msg]) => `${file}:${line}: ${msg}`))
    expect(reportIn(stdout)).toEqual(told.map(([line, msg]) => ({ file, line, msg })))
    expect((await place.calls('acme/bad')).map(({ id }) => id)).toEqual([callId(0), callId(3)])
  })

  test('is shown among the first twenty only, and is in the report with all others', async () => {
    const { code, stdout, stderr } = await place.run([write('{"op_name":1}\n'.repeat(2500))])
    expect(code).toBe(2)
    expect(stderr.trim().split('\n')).toHaveLength(21)
    expect(stderr).toMatch(/\.jsonl:20: .*\nMore lines are refused; all of them are in \S+\.problems\.jsonl\n$/)
    expect(reportIn(stdout)).toHaveLength(2500)
    expect(place.requests.filter((path) => path.includes('/undefined/'))).toEqual([])
  })

  test('that is too long for any request is named with the limit, and never kept', async () => {
    const long = JSON.stringify({ ...exportedCall(1, 'acme/long'), inputs: 'x'.repeat(40 * 1024 * 1024) })
    const fitting = JSON.stringify({ ...exportedCall(2, 'acme/long'), inputs: 'x'.repeat(20 * 1024 * 1024) })
    const { code, stderr } = await place.run([
      write(`${linesOf([0], 'acme/long')}${long}\n${fitting}\n${linesOf([3], 'acme/long')}`),
    ])
    expect(code).toBe(2)
    expect(stderr).toMatch(new RegExp(`:2: The line is longer than ${maxBodyBytes - 64} bytes`))
    expect((await place.calls('acme/long')).map(({ id }) => id)).toEqual([callId(0), callId(2), callId(3)])
  })

  test('for the service alone is told as the service says it', async () => {
    // Locally nothing is wrong with these; one answer stands in for a service whose rules are stricter.
    let answers = 0
    place.meddle((request, response) => {
      request.resume()
      answers += 1
      response.setHeader('content-type', 'application/json')
      response.end('{"res":[{},{"error":{"loc":["body","batch","1","op_name"],"msg":"No such op.","type":"value_error"}},{}]}')
      return true
    })
    const { code, stdout, stderr } = await place.run([write(linesOf([0, 1, 2], 'acme/strict'))])
    expect({ code, answers }).toEqual({ code: 2, answers: 1 })
    expect(stdout).toContain('2 calls stored')
    expect(stderr).toMatch(/:2: op_name: No such op\.\n$/)
  })

  test('in a batch that is refused as a whole is found by halves', async () => {
    // 498 levels are let through here; within a batch they are more than the service takes.
    const deep = JSON.stringify({ ...exportedCall(5, 'acme/deep'), inputs: 0 }).replace(
      '"inputs":0',
      `"inputs":${'['.repeat(498)}${']'.repeat(498)}`,
    )
    const content = `${linesOf(numbers(5), 'acme/deep')}${deep}\n${linesOf([6, 7], 'acme/deep')}`
    const { code, stderr } = await place.run([write(content)])
    expect(code).toBe(2)
    expect(stderr).toMatch(/^\S+:6: The body is nested too deeply: at most 500 levels\.\n$/)
    expect(await place.calls('acme/deep')).toHaveLength(7)
  })

  test('does not steer the terminal', async () => {
    const line = JSON.stringify({ ...exportedCall(1), started_at: '\u001b]0;title\u0007' })
    const { stderr } = await place.run([write(`${line}\n`)])
    expect(stderr).toContain("Unreadable time '\ufffd]0;title\ufffd'")
  })
})

describe('an import that was broken off', () => {
  test('goes on where it was, and ends as if it had never been', async () => {
    const projectId = 'acme/resumed'
    const bad = '{"op_name":1}\n'
    const file = write(
      linesOf(numbers(1500), projectId) + bad + linesOf([1500, 1501], projectId) + bad.repeat(1000) + linesOf([1502], projectId),
    )
    // The first batch is the only large one; all others are refused until the next run.
    refuseBelow(400_000)
    const first = await place.run([file])
    expect(first.code).toBe(1)
    expect(first.stderr).toMatch(/^The import cannot go on: \S+ does not know this user name and password\./)
    expect(await place.calls(projectId)).toHaveLength(1000)

    place.meddle(undefined)
    const before = place.requests.length
    const second = await place.run([file])
    expect(second.code).toBe(2)
    expect(second.stderr).toMatch(/^\S+: going on behind line 1000\.\n\S+:1501: /)
    expect(second.stdout).toContain('503 calls stored')
    expect(second.stdout).toContain('1,503 in all')
    expect(second.stdout).toContain('1,001 lines refused')
    expect(reportIn(second.stdout)).toHaveLength(1001)
    expect(place.requests.length - before).toBe(2)
    expect(await place.calls(projectId)).toHaveLength(1503)

    const third = await place.run([file])
    expect(third.code).toBe(2)
    expect(third.stdout).toContain('imported before, 1,503 calls stored. --fresh sends it again.\n  1,001 lines refused')
    expect(place.requests.length - before).toBe(2)

    const fresh = await place.run([file, '--fresh'])
    expect(fresh.stdout).toContain('1,503 calls stored')
    expect(reportIn(fresh.stdout)).toHaveLength(1001)
    expect(await place.calls(projectId)).toHaveLength(1503)
  })

  test('goes on in a compressed file as well', async () => {
    const file = write(gzipSync(linesOf(numbers(2100), 'acme/packed')))
    refuseBelow(100_000)
    expect((await place.run([file])).code).toBe(1)
    place.meddle(undefined)
    const { code, stdout, stderr } = await place.run([file])
    expect({ code, stderr }).toEqual({ code: 0, stderr: `${file}: going on behind line 2000.\n` })
    expect(stdout).toContain('100 calls stored')
    expect(await place.calls('acme/packed')).toHaveLength(2100)
  })

  test('begins anew for another project, and for a file that has changed', async () => {
    const file = write(linesOf([1], 'acme/changed'))
    await place.run([file])
    expect((await place.run([file, '--project', 'acme/changed-too'])).stdout).toContain(' 1 call stored')
    write(linesOf([1, 2], 'acme/changed'), file)
    expect((await place.run([file])).stdout).toContain(' 2 calls stored')
  })

  test('begins anew where its checkpoint cannot be read', async () => {
    const file = write(linesOf([1], 'acme/unreadable'))
    await place.run([file])
    const folder = join(place.environment.SPOOL_DATA, 'imports')
    const kept = readdirSync(folder).find((name) => name.startsWith(file) && name.endsWith('.json')) ?? ''
    expect(statSync(join(folder, kept)).mode & 0o777).toBe(0o600)
    expect(statSync(folder).mode & 0o777).toBe(0o700)
    writeFileSync(join(folder, kept), '{"version":1')
    expect((await place.run([file])).stdout).toContain(' 1 call stored')
  })

  test('is stopped between batches, and says how to go on', async () => {
    const stop = new AbortController()
    place.meddle(() => {
      stop.abort()
      return false
    })
    const file = write(linesOf(numbers(9000), 'acme/stopped'))
    const { code, stdout } = await place.run([file], { stopping: stop.signal })
    expect(code).toBe(1)
    expect(stdout).toMatch(/Stopped behind line [1-8],000\. Give the same command again to go on from there\./)
    place.meddle(undefined)
    expect((await place.run([file])).code).toBe(0)
    expect(await place.calls('acme/stopped')).toHaveLength(9000)
  })

  test('does not run twice at once', async () => {
    const file = write(linesOf([1], 'acme/twice'))
    let second: Promise<{ code: number; stderr: string }> | undefined
    place.meddle(() => {
      second ??= place.run([file])
      return false
    })
    const first = await place.run([file])
    expect(first.code).toBe(0)
    expect(await second).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(`is being imported by process ${process.pid}`),
    })
  })
})

describe('a service that is busy', () => {
  test('is waited for as long as it asks', async () => {
    const refusals = [429, 503, 429]
    const times: number[] = []
    place.meddle((request, response) => {
      times.push(performance.now())
      const status = refusals.shift()
      if (status === undefined) return false
      request.resume()
      response.statusCode = status
      if (times.length === 1) response.setHeader('retry-after', '1')
      response.end('{"detail":[{"loc":[],"msg":"Too much is waiting.","type":"overloaded"}]}')
      return true
    })
    const { code, stdout } = await place.run([write(linesOf([1], 'acme/busy'))])
    expect(code).toBe(0)
    expect(stdout).toContain(' 1 call stored')
    expect(times).toHaveLength(4)
    expect((times[1] ?? 0) - (times[0] ?? 0)).toBeGreaterThanOrEqual(990)
    expect(await place.calls('acme/busy')).toHaveLength(1)
  })

  test('that drops connections gets what it dropped again', async () => {
    let dropped = 0
    place.meddle((request) => {
      if (dropped >= 2) return false
      dropped += 1
      request.socket.destroy()
      return true
    })
    expect((await place.run([write(linesOf(numbers(10), 'acme/dropped'))])).code).toBe(0)
    expect(await place.calls('acme/dropped')).toHaveLength(10)
  })

  test('is given up after a while, in one sentence', async () => {
    place.meddle((request, response) => {
      request.resume()
      response.statusCode = 503
      response.end('{"detail":[{"loc":[],"msg":"The store cannot do this now.","type":"unavailable"}]}')
      return true
    })
    const { code, stdout, stderr } = await place.run([write(linesOf([1], 'acme/away'))])
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toBe(`The import cannot go on: ${place.url} could not take more for 2 s: The store cannot do this now.\n`)
  })
})

describe('an import that cannot be', () => {
  const sentence = async (parameters: readonly string[], variables: Record<string, string> = {}) => {
    const { code, stdout, stderr } = await place.run(parameters, { variables })
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    const [only, ...others] = stderr.trim().split('\n')
    expect(others).toEqual([])
    return only?.replace('The import cannot go on: ', '')
  }

  test('for its credentials', async () => {
    const file = write(linesOf([1], 'acme/secret'))
    expect(await sentence([file], { SPOOL_PASSWORD: 'wrong' })).toContain('does not know this user name and password')
    expect(await sentence([file], { SPOOL_PASSWORD: '' })).toContain('SPOOL_USERNAME is set and SPOOL_PASSWORD is not')
    const none = { SPOOL_USERNAME: '', SPOOL_PASSWORD: '', SPOOL_DATA: join(place.folder, 'none') }
    expect(await sentence([file], none)).toContain(`There is no users.json in ${place.folder}/none`)
    mkdirSync(join(place.folder, 'few'))
    writeFileSync(join(place.folder, 'few/users.json'), JSON.stringify([reviewer]))
    expect(await sentence([file], { ...none, SPOOL_DATA: join(place.folder, 'few') })).toContain('no user of every project')
    expect(await place.calls('acme/secret')).toEqual([])
  })

  test('for a project that is not the user’s, even where the file holds others', async () => {
    const variables = { SPOOL_USERNAME: reviewer.username, SPOOL_PASSWORD: reviewer.password }
    const file = write(linesOf([1], 'acme/forbidden'))
    expect(await sentence([file], variables)).toMatch(
      /^The user 'Rëviewer' has no access to this project\. Choose another with --project/,
    )
    expect(await place.calls('acme/forbidden')).toEqual([])
    const { code } = await place.run([file, '--project', 'acme/support'], { variables })
    expect(code).toBe(0)
    expect(await place.calls('acme/support')).toHaveLength(1)
    const prices = write('llm_id,prompt_token_cost,completion_token_cost\nm,1,1\n')
    expect(await sentence([prices, '--project', 'acme/forbidden'], variables)).toContain('no access to this project')
  })

  test('for where it should go', async () => {
    const file = write(linesOf([1], 'acme/nowhere'))
    const closed = createServer()
    const url = await listen(closed, '127.0.0.1', 0)
    await new Promise((done) => closed.close(done))
    expect(await sentence([file, '--url', url])).toBe(
      `Nothing answers at ${url} (ECONNREFUSED). Start Spool with npm start, or name another with --url.`,
    )
    // One of the ports that fetch() never speaks to.
    expect(await sentence([file, '--url', 'http://127.0.0.1:9'])).toBe('http://127.0.0.1:9 cannot be reached: bad port.')
    expect(await sentence([file, '--url', 'http://spool.example.com'])).toContain('would travel readable to spool.example.com')
    expect(await sentence([file, '--url', 'https://spool.example.com'], { SPOOL_USERNAME: '', SPOOL_PASSWORD: '' })).toContain(
      'is another machine: set SPOOL_USERNAME and SPOOL_PASSWORD',
    )
    const withPassword = await sentence([file, '--url', 'http://me:hidden@127.0.0.1:9'])
    expect(withPassword).toContain('--url must not carry credentials')
    expect(withPassword).not.toContain('hidden')
    expect(await sentence([file, '--url', 'ftp://x'])).toContain('--url must be an address such as')
  })

  test('for an address that leads elsewhere, or to something else', async () => {
    const file = write(linesOf([1], 'acme/elsewhere'))
    place.meddle((request, response) => {
      request.resume()
      response.writeHead(307, { location: 'https://elsewhere.example.com/' }).end()
      return true
    })
    expect(await sentence([file])).toContain('points to another address (https://elsewhere.example.com/): name that with --url')
    place.meddle((request, response) => {
      request.resume()
      response.end('<html>')
      return true
    })
    expect(await sentence([file])).toContain('answered something other than JSON')
    place.meddle(undefined)
    expect(await sentence([file, '--url', `${place.url}/below`])).toContain('it is no Spool, or an older one')
  })

  test('for its files, before anything of the others is sent', async () => {
    const good = write(linesOf([1], 'acme/untouched'))
    expect(await sentence([good, 'missing.jsonl'])).toBe('missing.jsonl: There is no such file.')
    expect(await sentence([good, '.'])).toBe('. is not a file.')
    expect(await sentence([good, write(Uint8Array.from(numbers(4000), (n) => (n * 7919) % 256))])).toContain(
      'It is none of: OTLP traces',
    )
    expect(await sentence([good, write('llm_id,prompt_token_cost,completion_token_cost\n')])).toContain(
      'Add --project <entity>/<project>',
    )
    expect(await place.calls('acme/untouched')).toEqual([])
  })

  test('for how it is called', async () => {
    expect(await sentence([])).toContain('No file is named')
    expect(await sentence(['x', '--as', 'parquet'])).toBe(
      "--as: there is no format 'parquet'. Supported: otlp, weave, litellm, prices-csv.",
    )
    expect(await sentence(['x', '--project', 'acme'])).toContain("--project: Must be '<entity>/<project>'")
    expect(await sentence(['x', '--password', 'y'])).toContain("Unknown option '--password'")
  })

  test('further than where a compressed file breaks off, and goes on from there', async () => {
    // Noise, so that what is cut off is more than the last few lines.
    const whole = numbers(3000).map(
      (n) => `${JSON.stringify({ ...exportedCall(n, 'acme/cut'), output: Math.sin(n).toString(36).repeat(20) })}\n`,
    )
    const packed = gzipSync(whole.join(''))
    const file = write(packed.subarray(0, packed.length - 20_000))
    const { code, stderr } = await place.run([file])
    expect(code).toBe(1)
    expect(stderr).toBe(`The import cannot go on: ${file}: The gzip data is cut short.\n`)
    expect((await place.calls('acme/cut')).length % 1000).toBe(0)
  })
})

test('the same file read in another way begins anew', async () => {
  const file = write(linesOf([1], 'acme/forced'))
  expect((await place.run([file, '--as', 'otlp'])).code).toBe(2)
  expect((await place.run([file])).stdout).toContain(' 1 call stored')
})

test('an empty file, and one of blank lines, are nothing to import', async () => {
  const { code, stdout } = await place.run([write(''), write('\n\r\n'), write('', 'empty.csv')])
  expect(code).toBe(0)
  expect(stdout.match(/: empty, nothing to import\.\n/g)).toHaveLength(3)
})

test('junk is refused line by line where its owner says what it is', async () => {
  const { code, stderr } = await place.run([write(Buffer.from([1, 2, 10, 255, 10])), '--as', 'weave'])
  expect(code).toBe(2)
  expect(stderr).toMatch(/^\S+:1: The line is not valid JSON[^\n]*\n\S+:2: The line is not valid UTF-8\.\n$/)
})

test('help tells how it is called', async () => {
  expect(await place.run(['--help'])).toEqual({
    code: 0,
    stdout: expect.stringMatching(/^Usage: spool import <file>/),
    stderr: '',
  })
})

test('a link is followed to its file', async () => {
  symlinkSync(join(place.folder, write(linesOf([1], 'acme/linked'))), join(place.folder, 'link.jsonl'))
  expect((await place.run(['link.jsonl'])).stdout).toContain('link.jsonl: 1 call stored')
})

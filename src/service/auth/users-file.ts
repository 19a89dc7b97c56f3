import { randomBytes } from 'node:crypto'
import { chmod, mkdir, open, readFile, rename, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Logger } from 'pino'
import * as z from 'zod'
import { User } from '../http/user'
import { StartError } from '../lib/start-error'
import type { UserWithPassword } from './users'

// Strict: a misspelled field must not silently grant nothing, or everything.
const UsersFile = z
  .array(z.strictObject({ ...User.shape, password: z.string().min(1, 'must not be empty') }))
  .min(1, 'must not be empty')
  .superRefine((users, context) => {
    const names = findTwins(users, ({ username }) => username)
    if (names) context.addIssue(`two users have the name ${JSON.stringify(names[0].username)}`)
    const twins = findTwins(users, ({ password }) => password)
    const who = twins?.map(({ username }) => JSON.stringify(username)).join(' and ')
    if (twins) context.addIssue(`${who} have the same password, but a password alone must identify one user`)
  })

/** The first two that have the same text. */
function findTwins<Item>(items: readonly Item[], toText: (item: Item) => string): [Item, Item] | undefined {
  const firstByText = new Map<string, Item>()
  for (const item of items) {
    const first = firstByText.get(toText(item))
    if (first !== undefined) return [first, item]
    firstByText.set(toText(item), item)
  }
  return undefined
}

/** The users of a data folder; undefined if it has no users.json. Throws a `StartError` for an invalid file. */
export async function readUsersFile(folder: string): Promise<UserWithPassword[] | undefined> {
  const path = join(folder, 'users.json')
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    if (isMissing(error)) return undefined
    throw new StartError(`${path} cannot be read: ${toReason(error)}`)
  })
  if (text === undefined) return undefined
  const parsed = UsersFile.safeParse(parseJson(text, path), { reportInput: true })
  if (parsed.success) return parsed.data
  const issue = parsed.error.issues[0]
  const place = issue?.path.length ? `at '${issue.path.join('.')}'` : 'the list'
  // Nothing but usernames is printed: the file has the passwords.
  const name = issue?.path.at(-1) === 'username' && typeof issue.input === 'string' ? ` ${JSON.stringify(issue.input)}` : ''
  throw new StartError(`${path} is not a list of users (${place}${name}: ${issue?.message ?? 'unreadable'}).`)
}

/** Writes users.json with an administrator who has a random password. Only the owner of the folder can read the file. */
export async function createUsersFile(folder: string): Promise<UserWithPassword> {
  const administrator: UserWithPassword = { username: 'admin', password: randomBytes(24).toString('base64url'), projects: '*' }
  await writeDurably(folder, 'users.json', `${JSON.stringify([administrator], null, 2)}\n`)
  return administrator
}

/** Creates the data folder, if needed, and makes it readable by its owner only. Throws a `StartError` if that is not possible. */
export async function createDataFolder(folder: string, logger: Logger): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 }).catch((error: unknown) => {
    throw new StartError(`The data folder ${folder} cannot be created: ${toReason(error)}`)
  })
  await makePrivate(folder, logger)
}

/** Makes users.json, if there is one, readable by its owner only. Throws a `StartError` if that is not possible. */
export async function requirePrivateUsersFile(folder: string, logger: Logger): Promise<void> {
  const path = join(folder, 'users.json')
  await makePrivate(path, logger).catch((error: unknown) => {
    if (error instanceof StartError) throw error
    // Whoever may not even look into the folder may not write it.
    if (!isMissing(error)) throw new StartError(`The data folder ${folder} cannot be written: ${toReason(error)}`)
  })
}

/** Takes away what group and others may do. */
async function makePrivate(path: string, logger: Logger): Promise<void> {
  const { mode } = await stat(path)
  if ((mode & 0o077) === 0) return
  await chmod(path, mode & 0o7700).catch((error: unknown) => {
    throw openToOthers(path, toReason(error))
  })
  // Some file systems accept every mode and keep none.
  if (((await stat(path)).mode & 0o077) !== 0) throw openToOthers(path, 'its file system keeps no permissions')
  logger.warn(`${path} was open to other users of this machine; now only its owner can read it`)
}

function openToOthers(path: string, reason: string): StartError {
  return new StartError(
    `${path} is open to other users of this machine, and that cannot be changed (${reason}). Its owner can: chmod go= ${path}`,
  )
}

/** Whenever the machine stops, either the old file or the whole new one is there. */
export async function writeDurably(folder: string, name: string, text: string): Promise<void> {
  const temporaryPath = join(folder, `${name}.${process.pid}.new`)
  await withFile(temporaryPath, 'w', async (file) => {
    await file.writeFile(text)
    await file.sync()
  })
  await rename(temporaryPath, join(folder, name))
  await withFile(folder, 'r', (file) => file.sync())
}

async function withFile(path: string, flags: string, use: (file: Awaited<ReturnType<typeof open>>) => Promise<void>) {
  const file = await open(path, flags, 0o600)
  try {
    await use(file)
  } finally {
    await file.close()
  }
}

function parseJson(text: string, path: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    // The message of the error may quote a password.
    const before = text.slice(0, findJsonError(text, toReason(error))).split('\n')
    const place = `line ${before.length}, character ${(before.at(-1) ?? '').length + 1}`
    throw new StartError(`${path} is not a list of users: it is not valid JSON (${place}).`)
  }
}

const unexpectedToken = 'Unexpected token'

/** Where the text stops being JSON; its end, where it stops too early. For an unexpected character V8 states no position. */
function findJsonError(text: string, reason: string): number {
  const stated = /at position (\d+)/.exec(reason)?.[1]
  if (stated !== undefined) return Number(stated)
  if (!reason.startsWith(unexpectedToken)) return text.length
  let [known, found] = [0, text.length]
  while (found - known > 1) {
    const middle = (known + found) >> 1
    if (isUnexpectedIn(text.slice(0, middle))) found = middle
    else known = middle
  }
  return found - 1
}

function isUnexpectedIn(text: string): boolean {
  try {
    JSON.parse(text)
    return false
  } catch (error) {
    return toReason(error).startsWith(unexpectedToken)
  }
}

export function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT'
}

function toReason(error: unknown): string {
  return error instanceof Error ? error.message : 'unknown reason'
}

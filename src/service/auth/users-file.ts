import { randomBytes } from 'node:crypto'
import { mkdir, open, readFile, rename } from 'node:fs/promises'
import { join } from 'node:path'
import * as z from 'zod'
import { User } from '../http/user'
import type { UserWithPassword } from './users'
import { StartError } from '../lib/start-error'

// Strict, so that a misspelled field is not taken for one that grants nothing or everything.
const UsersFile = z
  .array(z.strictObject({ ...User.shape, password: z.string().min(1) }))
  .min(1)
  .refine((users) => areDistinct(users.map(({ username }) => username)), 'two users have one name')
  .refine(
    (users) => areDistinct(users.map(({ password }) => password)),
    'two users have one password, which alone must identify one',
  )

function areDistinct(texts: readonly string[]): boolean {
  return new Set(texts).size === texts.length
}

/** The users of a data folder, or undefined where it has no users.json. Throws a `StartError` for one that cannot be read. */
export async function readUsersFile(folder: string): Promise<UserWithPassword[] | undefined> {
  const path = join(folder, 'users.json')
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    if (isMissing(error)) return undefined
    throw new StartError(`${path} cannot be read: ${error instanceof Error ? error.message : 'unknown reason'}`)
  })
  if (text === undefined) return undefined
  const parsed = UsersFile.safeParse(parsedJson(text))
  if (parsed.success) return parsed.data
  const issue = parsed.error.issues[0]
  throw new StartError(`${path} is not a list of users (at '${issue?.path.join('.') ?? ''}': ${issue?.message ?? 'unreadable'}).`)
}

/** Makes an administrator of every project with a random password and writes users.json with it, for its owner's eyes only. */
export async function createUsersFile(folder: string): Promise<UserWithPassword> {
  const administrator: UserWithPassword = { username: 'admin', password: randomBytes(24).toString('base64url'), projects: '*' }
  await writeDurably(folder, 'users.json', `${JSON.stringify([administrator], null, 2)}\n`)
  return administrator
}

/** Makes the data folder, for its owner's eyes only. Throws a `StartError` where it cannot. */
export async function createDataFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 }).catch((error: unknown) => {
    throw new StartError(`The data folder ${folder} cannot be made: ${error instanceof Error ? error.message : 'unknown reason'}`)
  })
}

/** Either the old file or the whole new one is there, whenever the machine stops. */
async function writeDurably(folder: string, name: string, text: string): Promise<void> {
  const temporary = join(folder, `${name}.${process.pid}.new`)
  await withFile(temporary, 'w', async (file) => {
    await file.writeFile(text)
    await file.sync()
  })
  await rename(temporary, join(folder, name))
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

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT'
}

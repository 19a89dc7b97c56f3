import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Logger } from 'pino'
import * as z from 'zod'
import { isMissing, writeDurably } from './users-file'

const StoredSession = z.strictObject({
  /** SHA-256 of the token. A slow hash would add nothing: nobody can try 2^256 tokens. */
  tokenHash: z.string().regex(/^[0-9a-f]{64}$/),
  username: z.string(),
  /** See `Users.prove`. */
  passwordProof: z.string().regex(/^[0-9a-f]{64}$/),
  /** Milliseconds since 1970, as all times here. */
  createdAt: z.number(),
  usedAt: z.number(),
  isRemembered: z.boolean(),
})
export type StoredSession = z.infer<typeof StoredSession>

const SessionsFile = z.strictObject({ savedAt: z.number(), sessions: z.array(StoredSession) })
export type SessionsFile = z.infer<typeof SessionsFile>

const fileName = 'sessions.json'
/** Clocks are corrected by this much without anybody having set them back. */
const clockToleranceMs = 60_000

/**
 * The sessions of a data folder. None, with a line in the log, where they cannot be read or trusted: then everybody signs in
 * again, which is better than a service that does not start.
 */
export async function readSessionsFile(folder: string, now: number, logger: Logger): Promise<StoredSession[]> {
  const path = join(folder, fileName)
  const giveUp = (reason: string) => {
    logger.warn(`${path} ${reason}, so all sessions have ended: everybody signs in again`)
    return []
  }
  let text: string
  try {
    text = await readFile(path, 'utf8')
  } catch (error) {
    return isMissing(error) ? [] : giveUp('cannot be read')
  }
  const file = parseSessionsFile(text)
  if (!file) return giveUp('is damaged')
  // Nothing says how long the service was stopped, so a session could outlive its end.
  if (file.savedAt > now + clockToleranceMs) return giveUp("is from the future, because this machine's clock was set back")
  return file.sessions
}

export async function writeSessionsFile(folder: string, file: SessionsFile): Promise<void> {
  await writeDurably(folder, fileName, `${JSON.stringify(file)}\n`)
}

function parseSessionsFile(text: string): SessionsFile | undefined {
  try {
    return SessionsFile.safeParse(JSON.parse(text)).data
  } catch {
    return undefined // not JSON, which the caller reports
  }
}

import { createHash } from 'node:crypto'
import { open, readFile, rename } from 'node:fs/promises'
import { basename, join } from 'node:path'
import * as z from 'zod/mini'
import { createDataFolder } from '../../auth/users-file'
import type { SourceFile } from './source-file'

/** How far an import has come: everything before `offset` is acknowledged, refused with a word, or left out. */
const Checkpoint = z.strictObject({
  version: z.literal(1),
  /** For who looks into the folder. */
  file: z.string(),
  url: z.string(),
  project: z.nullable(z.string()),
  offset: z.number(),
  lineNumber: z.number(),
  stored: z.number(),
  problemCount: z.number(),
  /** How much of the report of problems belongs to what is before `offset`. */
  problemBytes: z.number(),
  skipped: z.record(z.string(), z.number()),
  isDone: z.boolean(),
})
export type Checkpoint = z.infer<typeof Checkpoint>

/** What is kept of one file, read in one way, for one destination and one project. */
export type ImportPlace = { checkpoint: string; problems: string; lock: string }

/** Where that is, in the data folder, for its owner's eyes only. */
export async function placeOf(
  dataFolder: string,
  source: SourceFile,
  { format, url, project }: { format: string; url: string; project: string | undefined },
): Promise<ImportPlace> {
  const folder = join(dataFolder, 'imports')
  await createDataFolder(dataFolder)
  await createDataFolder(folder)
  const key = createHash('sha256')
    .update(JSON.stringify([source.identity, format, url, project ?? null]))
    .digest('hex')
    .slice(0, 16)
  const label = basename(source.path)
    .replaceAll(/[^A-Za-z0-9._-]/g, '_')
    .slice(0, 80)
  const stem = join(folder, `${label}-${key}`)
  return { checkpoint: `${stem}.json`, problems: `${stem}.problems.jsonl`, lock: `${stem}.lock` }
}

/** The checkpoint of an earlier run; undefined where there is none, or none that can be read: then it begins at the start. */
export async function readCheckpoint({ checkpoint }: ImportPlace): Promise<Checkpoint | undefined> {
  try {
    const kept: unknown = JSON.parse(await readFile(checkpoint, 'utf8'))
    const parsed = z.safeParse(Checkpoint, kept)
    return parsed.success ? parsed.data : undefined
  } catch {
    return undefined
  }
}

/** Replaces it whole: a reader finds the old one or the new one, whenever the process ends. */
export async function writeCheckpoint({ checkpoint }: ImportPlace, state: Checkpoint): Promise<void> {
  const temporary = `${checkpoint}.new`
  const file = await open(temporary, 'w', 0o600)
  try {
    await file.writeFile(`${JSON.stringify(state)}\n`)
    await file.datasync()
  } finally {
    await file.close()
  }
  await rename(temporary, checkpoint)
}

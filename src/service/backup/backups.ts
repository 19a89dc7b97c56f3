import { existsSync } from 'node:fs'
import { chmod, copyFile, cp, lstat, mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { StartError } from '../lib/start-error'
import { snapshotFolder, snapshotsFolder, type Store } from '../store/store'

/** `busy`: one is being made already. `elsewhere`: the data is on a ClickHouse server. */
export class BackupError extends Error {
  override readonly name = 'BackupError'

  constructor(readonly reason: 'busy' | 'elsewhere') {
    super(reason)
  }
}

type Deps = {
  store: Pick<Store, 'snapshot'>
  /** The data folder, in which everything is. */
  folder: string
  /** Milliseconds since 1970. */
  clock: () => number
}

/** A folder that has this file lacks a part of its backup. */
const unfinishedMark = 'unfinished-backup'

/**
 * Makes backups, each a folder below `store/backups` that Spool can be started on. The files of tables never
 * change, so a backup has hard links to them. All else is small, and copied while nothing is written.
 */
export class Backups {
  private isBusy = false

  constructor(private readonly deps: Deps) {}

  async create(): Promise<{ path: string; byteCount: number }> {
    const { snapshot } = this.deps.store
    if (!snapshot) throw new BackupError('elsewhere')
    if (this.isBusy) throw new BackupError('busy')
    this.isBusy = true
    try {
      await removeUnfinishedBackup(this.deps.folder)
      return await this.make(snapshot)
    } finally {
      this.isBusy = false
    }
  }

  private async make(snapshot: NonNullable<Store['snapshot']>): Promise<{ path: string; byteCount: number }> {
    const { folder, clock } = this.deps
    const { parent, unfinished, links } = toPaths(folder)
    try {
      await snapshot(() => copyUnlinked(folder, unfinished, links))
      await rename(links, join(unfinished, 'store', 'store'))
      await rm(join(unfinished, unfinishedMark))
      const byteCount = await countBytes(unfinished)
      const path = join(parent, new Date(clock()).toISOString().replaceAll(':', '-'))
      await rename(unfinished, path)
      return { path, byteCount }
    } finally {
      await removeUnfinishedBackup(folder)
    }
  }
}

/**
 * Removes what is left of a backup that failed or whose process was killed. It would keep files on the disk that the store no
 * longer needs.
 */
export async function removeUnfinishedBackup(folder: string): Promise<void> {
  const { unfinished } = toPaths(folder)
  // All of the snapshots: a kill may leave the engine's counter of them empty, and then every later snapshot fails.
  await Promise.all([unfinished, join(folder, snapshotsFolder)].map((path) => rm(path, { recursive: true, force: true })))
}

/** Throws a `StartError` where the data folder is a copy of a backup that was never finished. */
export function requireFinishedBackup(folder: string): void {
  if (!existsSync(join(folder, unfinishedMark))) return
  throw new StartError(`${folder} is a backup that was not finished, so data is missing. Use another backup.`)
}

/** The backups are beside the store, which may be on a disk of its own: hard links do not lead to another one. */
function toPaths(folder: string) {
  const parent = join(folder, 'store', 'backups')
  return { parent, unfinished: join(parent, 'unfinished'), links: join(folder, snapshotFolder, 'store') }
}

/**
 * Copies all but the parts of tables: the journal, the users and the definitions of tables; what is beside the parts goes to
 * the `links` to them. Not the sessions: they are for one service.
 */
async function copyUnlinked(folder: string, target: string, links: string): Promise<void> {
  await mkdir(target, { recursive: true, mode: 0o700 })
  await writeFile(join(target, unfinishedMark), '')
  for (const name of ['engine.xml', 'users.json']) {
    const copy = join(target, name)
    // They have secrets. The original may be a link to a file that others may read.
    if (await copyIfThere(join(folder, name), copy)) await chmod(copy, 0o600)
  }
  const journals = [folder, target].map((each) => join(each, 'journal')) as [string, string] // of two paths
  await copyFiles(...journals)
  // Again: between two copies, a record may have moved to a file that was copied before.
  await copyFiles(...journals)
  for (const name of ['data', 'metadata']) {
    const path = join('store', name)
    await cp(join(folder, path), join(target, path), { recursive: true, verbatimSymlinks: true })
  }
  const tables = join(folder, 'store', 'store')
  await Promise.all((await listTableFolders(tables)).map((path) => copyFiles(join(tables, path), join(links, path))))
}

/** Copies the files whose copy is missing or has another size; not the folders. */
async function copyFiles(folder: string, target: string): Promise<void> {
  await mkdir(target, { recursive: true, mode: 0o700 })
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const [file, copy] = [folder, target].map((each) => join(each, entry.name)) as [string, string] // of two paths
    if (entry.isFile() && (await readSize(file)) !== (await readSize(copy))) await copyIfThere(file, copy)
  }
}

async function readSize(file: string): Promise<number | undefined> {
  return (await lstat(file).catch(() => undefined))?.size // what keeps it from being read keeps it from being copied
}

/** Whether it is there. A file that is gone meanwhile is not needed: the journal gives up what is in the tables. */
async function copyIfThere(file: string, target: string): Promise<boolean> {
  try {
    await copyFile(file, target)
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return false
    throw error
  }
}

/** Each table, and each database, has a folder `<three characters>/<id>`. */
async function listTableFolders(folder: string): Promise<string[]> {
  const prefixes = await readdir(folder)
  const ids = await Promise.all(prefixes.map((prefix) => readdir(join(folder, prefix))))
  return prefixes.flatMap((prefix, index) => (ids[index] ?? []).map((id) => join(prefix, id)))
}

async function countBytes(folder: string): Promise<number> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true })
  const files = entries.filter((entry) => entry.isFile())
  const sizes = await Promise.all(files.map(async ({ parentPath, name }) => (await lstat(join(parentPath, name))).size))
  return sizes.reduce((sum, size) => sum + size, 0)
}

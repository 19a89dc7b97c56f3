import { copyFile, cp, lstat, mkdir, readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { snapshotFolder, type Store } from '../store/store'

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
    const { folder, clock } = this.deps
    // Beside the store, which may be on a disk of its own: hard links do not lead to another one.
    const parent = join(folder, 'store', 'backups')
    const unfinished = join(parent, 'unfinished')
    const links = join(folder, snapshotFolder)
    const removeUnfinished = () => Promise.all([unfinished, links].map((path) => rm(path, { recursive: true, force: true })))
    try {
      await removeUnfinished()
      await mkdir(unfinished, { recursive: true, mode: 0o700 })
      await snapshot(() => copyUnlinked(folder, unfinished))
      await moveParts(join(links, 'store'), join(unfinished, 'store', 'store'))
      const byteCount = await countBytes(unfinished)
      const path = join(parent, new Date(clock()).toISOString().replaceAll(':', '-'))
      await rename(unfinished, path)
      return { path, byteCount }
    } finally {
      await removeUnfinished()
      this.isBusy = false
    }
  }
}

/** Copies all but the parts of tables: their definitions, the journal and the users. Not the sessions: they are for one service. */
async function copyUnlinked(folder: string, target: string): Promise<void> {
  await copyFiles(folder, target, ['engine.xml', 'users.json'])
  await copyFiles(join(folder, 'journal'), join(target, 'journal'))
  for (const name of ['data', 'metadata']) {
    const path = join('store', name)
    await cp(join(folder, path), join(target, path), { recursive: true, verbatimSymlinks: true })
  }
  const [from, to] = [folder, target].map((each) => join(each, 'store', 'store')) as [string, string] // of two paths
  for (const path of await listTableFolders(from)) await copyFiles(join(from, path), join(to, path))
}

/** Without the folders in it. A file that is gone meanwhile is one that is not needed: the journal gives up what is in the tables. */
async function copyFiles(folder: string, target: string, only?: readonly string[]): Promise<void> {
  await mkdir(target, { recursive: true, mode: 0o700 })
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    if (!entry.isFile() || only?.includes(entry.name) === false) continue
    await copyFile(join(folder, entry.name), join(target, entry.name)).catch((error: unknown) => {
      if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error
    })
  }
}

/** Each table, and each database, has a folder `<three characters>/<id>`. */
async function listTableFolders(folder: string): Promise<string[]> {
  const prefixes = await readdir(folder)
  const ids = await Promise.all(prefixes.map((prefix) => readdir(join(folder, prefix))))
  return prefixes.flatMap((prefix, index) => (ids[index] ?? []).map((id) => join(prefix, id)))
}

async function moveParts(from: string, to: string): Promise<void> {
  for (const table of await listTableFolders(from)) {
    for (const part of await readdir(join(from, table))) await rename(join(from, table, part), join(to, table, part))
  }
}

async function countBytes(folder: string): Promise<number> {
  let byteCount = 0
  for (const entry of await readdir(folder, { withFileTypes: true, recursive: true })) {
    if (entry.isFile()) byteCount += (await lstat(join(entry.parentPath, entry.name))).size
  }
  return byteCount
}

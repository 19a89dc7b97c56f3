// Adds the optional binaries of all platforms to each package-lock.json. npm writes only the packages that the registry in use
// offers. Without an entry for a platform, `npm ci` there installs a tool without its binary.
// Run it after each change of dependencies: node .ci/complete-lock.mjs. With --check it writes nothing, and fails if one is missing.
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const lockPaths = ['package-lock.json', 'e2e/clients/javascript/package-lock.json']
const root = fileURLToPath(new URL('..', import.meta.url))

const operatingSystems = ['android', 'darwin', 'freebsd', 'linux', 'openharmony', 'win32']
const processors = ['arm64', 'x64', 'ia32', 'arm', 'ppc64', 'riscv64', 's390x', 'wasm32']

/** Reads the platform from the name of a package: `@oxlint/binding-linux-x64-musl` → linux, x64, musl. */
function parsePlatform(name) {
  const words = name.split(/[/-]/)
  const os = operatingSystems.find((each) => words.includes(each))
  const cpu = processors.find((each) => words.includes(each))
  if (!cpu || (!os && cpu !== 'wasm32')) throw new Error(`The name ${name} has no known platform: add it to complete-lock.mjs`)
  const libc = words.some((word) => word.startsWith('musl'))
    ? 'musl'
    : words.some((word) => word.startsWith('gnu'))
      ? 'glibc'
      : undefined
  return { ...(os && { os: [os] }), cpu: [cpu], ...(libc && os === 'linux' && { libc: [libc] }) }
}

/** Whether a lock file has the package `name` where the package at the path `parent` finds it: in its folder or one above. */
function isLocked(lock, parent, name) {
  const folders = parent.split('/node_modules/').map((_, depth, parts) => parts.slice(0, depth + 1).join('/node_modules/'))
  return ['', ...folders].some((folder) => lock.packages[`${folder && `${folder}/`}node_modules/${name}`])
}

function findMissing(lock) {
  return Object.entries(lock.packages).flatMap(([path, entry]) =>
    Object.entries(entry.optionalDependencies ?? {})
      .filter(([name]) => path !== '' && !isLocked(lock, path, name))
      .map(([name, version]) => ({ name, version, isDevelopment: entry.dev === true })),
  )
}

function addMissing(lock, missing) {
  for (const { name, version, isDevelopment } of missing) {
    lock.packages[`node_modules/${name}`] = {
      version,
      ...(isDevelopment && { dev: true }),
      optional: true,
      ...parsePlatform(name),
    }
  }
  const own = lock.packages['']
  const sorted = Object.entries(lock.packages)
    .filter(([path]) => path !== '')
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
  return { ...lock, packages: { '': own, ...Object.fromEntries(sorted) } }
}

/** Packages whose entry names the registry that was in use: `npm ci` would ask that one on every machine. */
function findAddressed(lock) {
  return Object.entries(lock.packages).filter(([, { resolved }]) => resolved !== undefined && /^https?:/.test(resolved))
}

for (const lockPath of lockPaths) {
  const lock = JSON.parse(readFileSync(root + lockPath, 'utf8'))
  const missing = findMissing(lock)
  const addressed = findAddressed(lock)
  for (const [path] of addressed)
    console.error(`${path} has a download address in ${lockPath}. Install with the .npmrc beside it.`)
  if (addressed.length > 0) process.exitCode = 1
  if (process.argv.includes('--check')) {
    for (const { name } of missing) console.error(`${name} is missing in ${lockPath}. Run: node .ci/complete-lock.mjs`)
    if (missing.length > 0) process.exitCode = 1
  } else {
    writeFileSync(root + lockPath, `${JSON.stringify(addMissing(lock, missing), null, 2)}\n`)
    console.log(`Added ${missing.length} packages to ${lockPath}.`)
  }
}

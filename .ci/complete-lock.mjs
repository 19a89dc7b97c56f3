// Adds the optional binaries of all platforms to package-lock.json. npm writes only the packages that the registry in use
// offers. Without an entry for a platform, `npm ci` there installs a tool without its binary.
// Run it after each change of dependencies: node .ci/complete-lock.mjs. With --check it writes nothing, and fails if one is missing.
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const lockPath = fileURLToPath(new URL('../package-lock.json', import.meta.url))
const lock = JSON.parse(readFileSync(lockPath, 'utf8'))

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

/** Whether the lock file has the package `name` where the package at the path `parent` finds it: in its folder or one above. */
function isLocked(parent, name) {
  const folders = parent.split('/node_modules/').map((_, depth, parts) => parts.slice(0, depth + 1).join('/node_modules/'))
  return ['', ...folders].some((folder) => lock.packages[`${folder && `${folder}/`}node_modules/${name}`])
}

const missing = Object.entries(lock.packages).flatMap(([path, entry]) =>
  Object.entries(entry.optionalDependencies ?? {})
    .filter(([name]) => path !== '' && !isLocked(path, name))
    .map(([name, version]) => ({ name, version, isDevelopment: entry.dev === true })),
)

if (process.argv.includes('--check')) {
  for (const { name } of missing) console.error(`${name} is missing in package-lock.json. Run: node .ci/complete-lock.mjs`)
  process.exitCode = missing.length > 0 ? 1 : 0
} else {
  for (const { name, version, isDevelopment } of missing) {
    lock.packages[`node_modules/${name}`] = {
      version,
      ...(isDevelopment && { dev: true }),
      optional: true,
      ...parsePlatform(name),
    }
  }
  const root = lock.packages['']
  const sorted = Object.entries(lock.packages)
    .filter(([path]) => path !== '')
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
  lock.packages = { '': root, ...Object.fromEntries(sorted) }
  writeFileSync(lockPath, `${JSON.stringify(lock, null, 2)}\n`)
  console.log(`Added ${missing.length} packages.`)
}

// Adds the optional binaries of other platforms to package-lock.json. npm writes only those that the registry in
// use offers; with the others missing, `npm ci` on such a platform installs a tool without its binary.
// Run after each change of dependencies: node .ci/complete-lock.mjs. With --check it writes nothing and fails if one is missing.
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const lockPath = fileURLToPath(new URL('../package-lock.json', import.meta.url))
const lock = JSON.parse(readFileSync(lockPath, 'utf8'))

const operatingSystems = {
  android: 'android',
  darwin: 'darwin',
  freebsd: 'freebsd',
  linux: 'linux',
  openharmony: 'openharmony',
  win32: 'win32',
}
const processors = ['arm64', 'x64', 'ia32', 'arm', 'ppc64', 'riscv64', 's390x', 'wasm32']

/** What a platform package's name says of where it runs: `@oxlint/binding-linux-x64-musl` → linux, x64, musl. */
function platformOf(name) {
  const words = name.split(/[/-]/)
  const os = words.map((word) => operatingSystems[word]).find(Boolean)
  const cpu = processors.find((processor) => words.includes(processor))
  if (!cpu || (!os && cpu !== 'wasm32')) throw new Error(`Cannot tell the platform of ${name}: name it in complete-lock.mjs`)
  const libc = words.some((word) => word.startsWith('musl'))
    ? 'musl'
    : words.some((word) => word.startsWith('gnu'))
      ? 'glibc'
      : undefined
  return { ...(os && { os: [os] }), cpu: [cpu], ...(libc && os === 'linux' && { libc: [libc] }) }
}

/** Whether `name`, required by the package at `from`, is locked there or in a folder above. */
function isLocked(from, name) {
  const folders = from.split('/node_modules/').map((_, depth, parts) => parts.slice(0, depth + 1).join('/node_modules/'))
  return ['', ...folders].some((folder) => lock.packages[`${folder && `${folder}/`}node_modules/${name}`])
}

const missing = Object.entries(lock.packages).flatMap(([path, entry]) =>
  Object.entries(entry.optionalDependencies ?? {})
    .filter(([name]) => path !== '' && !isLocked(path, name))
    .map(([name, version]) => ({ name, version, isDevelopment: entry.dev === true })),
)

if (process.argv.includes('--check')) {
  for (const { name } of missing) console.error(`package-lock.json lacks ${name}. Run: node .ci/complete-lock.mjs`)
  process.exitCode = missing.length > 0 ? 1 : 0
} else {
  for (const { name, version, isDevelopment } of missing) {
    lock.packages[`node_modules/${name}`] = { version, ...(isDevelopment && { dev: true }), optional: true, ...platformOf(name) }
  }
  const root = lock.packages['']
  const sorted = Object.entries(lock.packages)
    .filter(([path]) => path !== '')
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
  lock.packages = { '': root, ...Object.fromEntries(sorted) }
  writeFileSync(lockPath, `${JSON.stringify(lock, null, 2)}\n`)
  console.log(`${missing.length} added`)
}

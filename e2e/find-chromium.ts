import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chromium } from 'playwright'

// The headless shell first: it is the same browser without the windows that nobody sees, and takes about an eighth less of the processor.
const installed = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']

/**
 * The path of a Chromium. It takes an installed one or Playwright's own; without either it installs Playwright's, and if
 * that fails, as root on Debian, the distribution's headless shell.
 */
export function findChromium(): string {
  const named = process.env['CHROMIUM_PATH']
  if (named) {
    if (existsSync(named)) return named
    throw new Error(`CHROMIUM_PATH is ${named}, but there is no such file.`)
  }
  const candidates = [...installed, chromium.executablePath()]
  const found = () => candidates.find((path) => path !== '' && existsSync(path))
  const path = found() ?? (run('npx', ['playwright', 'install', 'chromium']), found()) ?? (installFromDebian(), found())
  if (path) return path
  throw new Error('No Chromium found, and none could be installed. Install one, or set CHROMIUM_PATH.')
}

function installFromDebian(): void {
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return
  run('apt-get', ['update'])
  run('apt-get', ['install', '-y', '--no-install-recommends', 'chromium-headless-shell'])
}

function run(command: string, args: readonly string[]): void {
  spawnSync(command, args, { stdio: ['ignore', process.stderr, process.stderr] })
}

/** The lists that a window of Chromium prepares for its address bar, which nobody sees: half of the work of a new window. */
const addressBarFeatures = ['WebUIOmniboxPopup', 'WebUIOmniboxAimPopup', 'WebUIOmniboxFullPopup']

// Chromium reads only the last list of this kind, so it repeats what Playwright 1.65 switches off and is not of other platforms.
const disabledFeatures = [
  ...addressBarFeatures,
  'AimEnabled',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsFirstBalancedModeAutoEnable',
  'HttpsUpgrades',
  'LensOverlay',
  'MediaRouter',
  'NetworkTimeServiceQuerying',
  'OptimizationHints',
  'PaintHolding',
  'PreconnectToSearch',
  'ThirdPartyStoragePartitioning',
]

/** Chromium refuses a sandbox as root. The other arguments keep it from connecting to the internet and from needless work. */
export const chromiumArguments = [
  ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
  '--disable-gpu',
  '--disable-quic',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  `--disable-features=${disabledFeatures.join(',')}`,
]

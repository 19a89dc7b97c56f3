import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Client, Language } from './client'
import { runProcess } from './run-process'

const folder = 'e2e/clients/javascript'

const clients: readonly Client[] = [
  {
    name: 'weave-0.11-openai',
    turnCount: 0,
    notSent: { 'thread and turn': 'the npm SDK has no threads' },
  },
]

export const javascript: Language = {
  name: 'JavaScript',
  clients,
  install: async () => {
    const installed = join(folder, 'node_modules/.package-lock.json')
    const isCurrent = existsSync(installed) && statSync(installed).mtimeMs >= statSync(join(folder, 'package-lock.json')).mtimeMs
    if (isCurrent) return undefined
    const { code, output } = await runProcess(['npm', 'ci', '--prefix', folder], process.env, 300_000)
    return code === 0 ? undefined : `npm ci failed: ${output.trim().split('\n').at(-1) ?? ''}`
  },
  toCommand: ({ name }) => [process.execPath, join(folder, `${name}.mjs`)],
}

import { spawn } from 'node:child_process'

export type EndedProcess = { code: number | null; output: string }

/** Runs a program to its end and returns the last part of what it printed. Programs that do not end in time are killed. */
export async function runProcess(
  [file, ...parameters]: readonly [string, ...string[]],
  environment: NodeJS.ProcessEnv = process.env,
  timeoutMs = 180_000,
): Promise<EndedProcess> {
  const child = spawn(file, parameters, {
    env: environment,
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: timeoutMs,
    killSignal: 'SIGKILL',
  })
  let output = ''
  const collect = (chunk: Buffer) => {
    output = (output + chunk.toString()).slice(-4000)
  }
  child.stdout.on('data', collect)
  child.stderr.on('data', collect)
  return new Promise((resolve) => {
    child.on('error', (error) => resolve({ code: null, output: error.message }))
    child.on('close', (code) => resolve({ code, output }))
  })
}

import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { BystanderCommand, BystanderSettings, Measured } from './bystander-messages'

/** A client beside the attack, in its own process: `bystander.ts`. */
export class Bystander {
  private constructor(private readonly child: ChildProcess) {}

  static async start(settings: BystanderSettings): Promise<Bystander> {
    const child = fork(join(import.meta.dirname, 'bystander.js'), [JSON.stringify(settings)], { execArgv: [] })
    await once(child, 'message')
    return new Bystander(child)
  }

  begin(): void {
    this.command('start')
  }

  /** What it measured since it began, the requests that are still under way included. */
  async end(): Promise<Measured> {
    const reply = once(this.child, 'message')
    this.command('stop')
    const [measured] = await reply
    return measured as Measured // sent by bystander.ts
  }

  close(): void {
    this.child.kill()
  }

  private command(command: BystanderCommand): void {
    this.child.send(command)
  }
}

/**
 * Runs one task at a time for each key; those that come meanwhile wait and see what the first has done. It holds within this
 * process: two copies of the service over one store could each make a queue for the same key in the same moment.
 */
export class OneAtATime {
  private readonly last = new Map<string, Promise<unknown>>()

  async run<T>(key: string, task: () => Promise<T>): Promise<T> {
    const before = this.last.get(key) ?? Promise.resolve()
    const mine = before.then(task, task)
    this.last.set(key, mine)
    try {
      return await mine
    } finally {
      if (this.last.get(key) === mine) this.last.delete(key)
    }
  }
}

/**
 * A mutex for each key: tasks of one key run one after another, in the order they came. It holds within this process only:
 * two copies of the service over one store could run tasks of one key at the same time.
 */
export class KeyedMutex {
  private readonly lastByKey = new Map<string, Promise<unknown>>()

  /** Runs the task after those before it, whether they succeeded or failed. */
  async run<T>(key: string, task: () => Promise<T>): Promise<T> {
    const previous = this.lastByKey.get(key) ?? Promise.resolve()
    const current = previous.then(task, task)
    this.lastByKey.set(key, current)
    try {
      return await current
    } finally {
      if (this.lastByKey.get(key) === current) this.lastByKey.delete(key)
    }
  }
}

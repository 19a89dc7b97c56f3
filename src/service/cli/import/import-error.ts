/** Why an import cannot go on, in one sentence for whoever started it. */
export class ImportError extends Error {
  override readonly name = 'ImportError'
}

/** The import was asked to stop; what is acknowledged by then is kept. */
export class StoppedError extends Error {
  override readonly name = 'StoppedError'
}

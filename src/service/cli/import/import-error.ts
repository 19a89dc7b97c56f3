/** Why an import cannot continue: one sentence for the person who started it. */
export class ImportError extends Error {
  override readonly name = 'ImportError'
}

/** The look of an input, a select or a text area. */
export const controlClass =
  'min-w-0 rounded-md border border-line-strong bg-surface px-2 text-text placeholder:text-faint hover:border-quiet ' +
  'focus-visible:border-accent focus-visible:outline-1 focus-visible:outline-offset-0 aria-invalid:border-bad disabled:opacity-55'

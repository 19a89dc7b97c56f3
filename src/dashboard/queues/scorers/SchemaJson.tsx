import { formatVisibleLines } from '../../format/visible-text'

/** The JSON Schema of answers that the editor has no fields for. */
export function SchemaJson({ schema }: { schema: unknown }) {
  return (
    <pre
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- the keyboard must be able to scroll it
      tabIndex={0}
      aria-label="Schema of the answers"
      className="mt-1 max-h-60 overflow-auto rounded-md bg-sunken p-2 font-mono text-xs whitespace-pre-wrap break-all"
    >
      {formatVisibleLines(JSON.stringify(schema ?? {}, null, 2))}
    </pre>
  )
}

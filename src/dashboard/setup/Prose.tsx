/** Text in which backticks mark code. */
export function Prose({ text }: { text: string }) {
  return text.split('`').map((part, index) =>
    index % 2 === 1 ? (
      // oxlint-disable-next-line react/no-array-index-key -- the parts of a text have no other identity
      <code key={index} className="font-mono break-words">
        {part}
      </code>
    ) : (
      part
    ),
  )
}

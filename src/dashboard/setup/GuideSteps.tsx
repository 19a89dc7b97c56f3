import { CodeBlock } from './CodeBlock'
import type { Guide } from './guide'

export function GuideSteps({ guide: { steps, threads } }: { guide: Guide }) {
  return (
    <>
      <ol className="flex flex-col gap-5">
        {steps.map((step, index) => (
          <li key={step.label} className="grid grid-cols-[20px_minmax(0,1fr)] gap-x-2">
            <span aria-hidden="true" className="text-quiet tabular-nums">
              {index + 1}
            </span>
            <div>
              <h2 className="font-semibold">
                <Prose text={step.title} />
              </h2>
              <CodeBlock {...step} />
              {step.note && (
                <p className="mt-1.5 text-quiet">
                  <Prose text={step.note} />
                </p>
              )}
            </div>
          </li>
        ))}
      </ol>
      <section aria-label="Threads and turns" className="mt-5 border-t border-line pt-3">
        <h2 className="font-semibold">Threads and turns</h2>
        <p className="mt-1">
          <Prose text={threads} />
        </p>
      </section>
    </>
  )
}

/** Renders backticks as code. */
function Prose({ text }: { text: string }) {
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

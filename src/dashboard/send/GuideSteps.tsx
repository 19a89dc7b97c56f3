import { CodeBlock } from './CodeBlock'
import type { Guide } from './guide'
import { Prose } from './Prose'

export function GuideSteps({ guide: { steps, threads } }: { guide: Guide }) {
  return (
    <>
      <ol className="flex flex-col gap-5">
        {steps.map(({ title, label, code, codeToCopy, note }, index) => (
          <li key={label} className="grid grid-cols-[20px_minmax(0,1fr)] gap-x-2">
            <span aria-hidden="true" className="text-quiet tabular-nums">
              {index + 1}
            </span>
            <div>
              <h2 className="font-semibold">
                <Prose text={title} />
              </h2>
              <CodeBlock label={label} code={code} codeToCopy={codeToCopy} />
              {note && (
                <p className="mt-1.5 text-quiet">
                  <Prose text={note} />
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

import { formatVisibleLines } from '../format/visible-text'
import { CopyButton } from '../ui/CopyButton'
import type { GuideStep } from './guide'

type Props = Pick<GuideStep, 'label' | 'code' | 'codeToCopy' | 'isProgram'>

/** Code with its name and a copy button, which copies what stands for the characters that nobody sees. On a narrow screen commands wrap, and programs scroll. */
export function CodeBlock({ label, code, codeToCopy, isProgram = false }: Props) {
  return (
    <figure className="mt-2 overflow-hidden rounded-md bg-sunken forced-colors:border">
      <figcaption className="flex items-center justify-between gap-2 border-b border-line py-0.5 pr-1 pl-3 text-xs text-quiet">
        {label}
        <CopyButton text={codeToCopy ?? code} label={`Copy ${label}`} />
      </figcaption>
      <pre
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- the keyboard must be able to scroll it
        tabIndex={0}
        aria-label={label}
        className={`overflow-x-auto px-3 py-2 font-mono text-xs -outline-offset-2 ${isProgram ? '' : 'max-sm:break-words max-sm:whitespace-pre-wrap'}`}
      >
        <code>{formatVisibleLines(code)}</code>
      </pre>
    </figure>
  )
}

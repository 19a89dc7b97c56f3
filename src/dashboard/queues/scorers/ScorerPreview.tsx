import { TextArea, TextInput } from '../../ui/TextInput'
import { formatVisibleLines, formatVisibleText } from '../../format/visible-text'
import { describeAnswer } from './describe-answer'
import { listChoices, type ScorerValues, toFieldSchema } from './scorer-values'

/** What a reviewer will be asked. The controls work, and what is answered here goes nowhere. */
export function ScorerPreview({ values }: { values: ScorerValues }) {
  const { type, description, min, max, step, isWhole, maxLength, isRequired } = values
  const name = formatVisibleText(values.name.trim() || 'Name')
  const choices = type === 'boolean' ? ['Yes', 'No'] : type === 'category' ? listChoices(values) : []
  return (
    <section aria-label="Preview" className="min-w-0 rounded-md bg-sunken p-3 forced-colors:border">
      <h3 className="mb-2 text-xs text-quiet">A reviewer sees</h3>
      <div key={type} className="flex flex-col gap-1.5">
        <p className="font-semibold break-words">
          <bdi>{name}</bdi>
          {!isRequired && <span className="font-normal text-faint"> (optional)</span>}
        </p>
        {description.trim() && (
          <p className="break-words whitespace-pre-wrap text-quiet [unicode-bidi:plaintext]">
            {formatVisibleLines(description.trim())}
          </p>
        )}
        {choices.slice(0, 50).map((choice) => (
          <label key={choice} className="flex min-w-0 cursor-pointer items-start gap-2">
            <input type="radio" name="scorer-preview" className="mt-1 accent-accent" />
            <bdi className="min-w-0 break-words">{formatVisibleText(choice)}</bdi>
          </label>
        ))}
        {choices.length > 50 && <p className="text-quiet">and {choices.length - 50} more</p>}
        {type === 'number' && (
          <TextInput
            type="number"
            aria-label={name}
            min={min}
            max={max}
            step={step || (isWhole ? 1 : 'any')}
            className="max-w-32"
          />
        )}
        {type === 'text' && <TextArea aria-label={name} maxLength={Number(maxLength) || undefined} />}
        {type === 'number' && <p className="text-xs text-quiet">{describeAnswer(toFieldSchema(values))}</p>}
      </div>
    </section>
  )
}

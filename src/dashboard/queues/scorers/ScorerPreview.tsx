import { useState } from 'react'
import { isJsonObject } from '../../../contract/json-value'
import { toAnswerControl } from '../review/answer-control'
import { AnswerInput } from '../review/AnswerInput'
import { findScorerProblems, type ScorerValues, toSpecValue } from './scorer-values'

type Props = { values: ScorerValues; before: Readonly<Record<string, unknown>> | undefined }

/** What a reviewer will be asked, by the control of the review. What is answered here goes nowhere. */
export function ScorerPreview({ values, before }: Props) {
  const [entered, setEntered] = useState<unknown>()
  const schema = toSpecValue(values, before)['field_schema']
  const { min, max, step, maxLength } = findScorerProblems(values)
  const isDrawn = isJsonObject(schema) && !(min || max || step || maxLength)
  return (
    <section aria-label="Preview" className="min-w-0 rounded-md bg-sunken p-3 forced-colors:border">
      <h3 className="mb-2 text-xs text-quiet">A reviewer sees</h3>
      {isDrawn ? (
        <AnswerInput
          field={{
            ref: '',
            title: values.name.trim() || 'Name',
            description: values.description.trim() || null,
            schema,
            control: toAnswerControl(schema),
          }}
          version={undefined}
          entered={entered}
          problem={undefined}
          isDisabled={false}
          onEnter={setEntered}
        />
      ) : (
        <p className="text-quiet">The control appears once its limits are right.</p>
      )}
    </section>
  )
}

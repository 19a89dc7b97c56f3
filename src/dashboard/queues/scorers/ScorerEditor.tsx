import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useRef, useState } from 'react'
import { annotationSpecClass } from '../../../contract/annotation-spec'
import { isJsonObject } from '../../../contract/json-value'
import { type ReceivedObject, receiveObjects, storeObject } from '../../../contract/received-objects'
import { ApiError } from '../../client/api-error'
import { useConnection } from '../../client/connection-context'
import { useObjectVersions } from '../../client/object-versions'
import { fetchJson } from '../../client/fetch-json'
import { refetchOperation } from '../../client/refetch-operation'
import { useDraft } from '../../client/use-draft'
import { describeInvisible, formatVisibleText } from '../../format/visible-text'
import { Banner } from '../../ui/Banner'
import { askForFocus } from '../../ui/ask-for-focus'
import { Button } from '../../ui/Button'
import { Field } from '../../ui/Field'
import { TextArea, TextInput } from '../../ui/TextInput'
import { AnswerTypeFields } from './AnswerTypeFields'
import { DifferenceList } from './DifferenceList'
import { describeSaving, describeStored } from './describe-saving'
import { listDifferences } from './list-differences'
import { useReadVersions } from './scorer-objects'
import { ScorerPreview } from './ScorerPreview'
import {
  emptyScorer,
  findScorerProblems,
  type ScorerProblems,
  ScorerValues,
  toScorerId,
  toScorerRef,
  toScorerValues,
  toSpecValue,
} from './scorer-values'

/** A version that was stored. `notice` says what came of it. */
export type StoredScorer = { ref: string; notice: string }

type Props = {
  /** The version that is edited; without it a new scorer is made. */
  base?: ReceivedObject | undefined
  onStored: (scorer: StoredScorer) => void
}

/** Makes a scorer, or a new version of one. What is typed is kept in this tab until it is stored or discarded. */
export function ScorerEditor({ base, onStored }: Props) {
  const connection = useConnection()
  const { projectId } = connection
  const client = useQueryClient()
  const readVersions = useReadVersions()
  const [initial] = useState(() => (base && toScorerValues(base.val, base.object_id)) ?? emptyScorer)
  const [values, changeDraft, forgetDraft] = useDraft(
    ScorerValues,
    `scorer ${base?.object_id ?? ''} ${base?.digest ?? ''}`,
    initial,
  )
  const [isTried, setIsTried] = useState(false)
  const [isSaving, setIsSaving] = useState(false)
  // State is there with the next render, and a second press may come before it.
  const isUnderWay = useRef(false)
  const [error, setError] = useState<unknown>()
  const [checkedId, setCheckedId] = useState(base?.object_id ?? toScorerId(values.name))

  const before = base && isJsonObject(base.val) ? base.val : undefined
  const id = base?.object_id ?? toScorerId(values.name)
  const { data: versions } = useObjectVersions(checkedId === '' ? [] : [checkedId])
  const newest = versions?.find(({ object_id }) => object_id === id)
  const saving = describeSaving(id, newest, base)
  const serverProblems = error instanceof ApiError ? toFieldProblems(error, values) : {}
  const problems: ScorerProblems = {
    ...serverProblems,
    ...(saving.isTaken && { name: saving.text }),
    ...(isTried && findScorerProblems(values)),
  }

  const change = (changed: Partial<ScorerValues>) => {
    setError(undefined)
    changeDraft(changed)
  }
  const fieldProps = (name: 'name' | 'description') => ({
    value: values[name],
    onChange: ({ target }: { target: { value: string } }) => change({ [name]: target.value }),
  })
  const focusFirst = (found: ScorerProblems) => {
    const [first] = Object.keys(found)
    document.getElementById(`scorer-${first}`)?.focus()
    return first !== undefined
  }

  const save = async (form: HTMLFormElement) => {
    setIsTried(true)
    if (isUnderWay.current || focusFirst(findScorerProblems(values)) || (saving.isTaken && focusFirst({ name: saving.text })))
      return
    isUnderWay.current = true
    setIsSaving(true)
    setError(undefined)
    try {
      const found = await readVersions(id)
      setCheckedId(id)
      // What the person has not been told of is told first: a second press goes on.
      if (found?.[0] && found[0].digest !== (newest ?? base)?.digest) return
      const val = toSpecValue(values, before)
      const obj = { project_id: projectId, object_id: id, val, builtin_object_class: annotationSpecClass }
      const { digest } = await fetchJson(storeObject, { obj }, { connection })
      const after = await readVersions(id)
      await refetchOperation(client, receiveObjects)
      forgetDraft()
      // Without its form the editor is closed already, and another dialog may be open.
      if (!form.isConnected) return
      onStored({
        ref: toScorerRef(projectId, { object_id: id, digest }),
        notice: describeStored({ id, digest, before: found, after }),
      })
    } catch (failure) {
      setError(failure)
      if (failure instanceof ApiError) focusFirst(toFieldProblems(failure, values))
    } finally {
      isUnderWay.current = false
      setIsSaving(false)
    }
  }
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    // React passes events of a portal on to the form around it.
    event.stopPropagation()
    void save(event.currentTarget)
  }

  const isUnshown = error instanceof Error && Object.keys(serverProblems).length === 0
  const isKept = JSON.stringify(values) !== JSON.stringify(initial)
  return (
    <div className="grid items-start gap-4 md:grid-cols-[minmax(0,1fr)_15rem]">
      <form noValidate aria-label="Scorer" className="flex min-w-0 flex-col gap-3" onSubmit={submit}>
        <Field
          id="scorer-name"
          label="Name"
          error={problems.name && formatVisibleText(problems.name)}
          warning={describeInvisible(values.name)}
          hint={
            base
              ? 'It stays: answers belong to it.'
              : id !== '' && id !== values.name.trim() && `In references: ${formatVisibleText(id)}`
          }
        >
          {(control) => (
            <TextInput
              {...control}
              {...fieldProps('name')}
              // The dialog was opened to type it.
              // oxlint-disable-next-line jsx-a11y/no-autofocus
              autoFocus={!base}
              ref={base ? undefined : askForFocus}
              readOnly={base !== undefined}
              dir="auto"
              onBlur={() => setCheckedId(id)}
            />
          )}
        </Field>
        <Field id="scorer-description" label="Description for reviewers" isOptional error={problems.description}>
          {(control) => <TextArea {...control} {...fieldProps('description')} dir="auto" />}
        </Field>
        <AnswerTypeFields values={values} problems={problems} schemaBefore={before?.['field_schema']} onChange={change} />
        <output className="block empty:hidden">
          {saving.text && !saving.isTaken && (
            <Banner tone={saving.isOvertaken ? 'warn' : 'info'} title={formatVisibleText(saving.text)}>
              {saving.isOvertaken && <DifferenceList differences={listDifferences(base?.val, newest?.val)} />}
            </Banner>
          )}
        </output>
        {isUnshown && (
          <Banner tone="bad" title="The scorer is not known to be saved">
            {formatVisibleText(error.message)} You can safely save again: the same content is stored once.
          </Banner>
        )}
        <div className="flex flex-wrap gap-2">
          <Button type="submit" variant="primary" isBusy={isSaving}>
            {saving.button}
          </Button>
          {isKept && (
            <Button
              variant="quiet"
              onClick={() => {
                changeDraft(initial)
                setIsTried(false)
                forgetDraft()
              }}
            >
              Discard changes
            </Button>
          )}
        </div>
      </form>
      <ScorerPreview key={values.type} values={values} before={before} />
    </div>
  )
}

const mainFields = { boolean: undefined, category: 'choices', number: 'min', text: 'maxLength', other: undefined } as const

/** The problems of a 422 by the field that each is about. */
function toFieldProblems({ problems }: ApiError, { type }: ScorerValues): ScorerProblems {
  const found: ScorerProblems = {}
  for (const { loc, msg } of problems) {
    const field =
      loc.includes('object_id') || loc.includes('name') ? 'name' : loc.includes('description') ? 'description' : mainFields[type]
    if (field && (field !== mainFields[type] || loc.includes('field_schema'))) found[field] ??= msg
  }
  return found
}

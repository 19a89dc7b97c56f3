import type { FormEvent } from 'react'
import * as z from 'zod/mini'
import type { SavedView, ViewPage } from '../../../contract/views'
import { ApiError } from '../../client/api-error'
import { useDraft } from '../../client/use-draft'
import { ForeignText } from '../../format/ForeignText'
import { describeInvisible } from '../../format/visible-text'
import { announce } from '../../ui/announce'
import { askToReplace } from '../../ui/ask-for-focus'
import { Button } from '../../ui/Button'
import { Dialog } from '../../ui/Dialog'
import { Field } from '../../ui/Field'
import { TextInput } from '../../ui/TextInput'
import type { useSavedViews } from './use-saved-views'

/** What a person is asked. `save`: the changes could not be saved, perhaps because somebody else has changed the view too. */
export type ViewQuestion =
  | { kind: 'create' }
  | { kind: 'rename'; view: SavedView }
  | { kind: 'delete'; view: SavedView }
  | { kind: 'save'; view: SavedView }

type Props = {
  page: ViewPage
  question: ViewQuestion
  /** What the page shows. */
  state: string
  change: ReturnType<typeof useSavedViews>['change']
  onClose: () => void
  /** It is saved, or deleted: then there is no view. */
  onDone: (view: SavedView | undefined) => void
}

const NameDraft = z.object({ name: z.string() })

/** Asks for the name of a view, or whether to go on. The service says what is wrong with a name. */
export function ViewDialog({ page, question, state, change, onClose, onDone }: Props) {
  const { kind } = question
  const asked = 'view' in question ? question.view : undefined
  const draftName = `view-name ${kind} ${asked?.id ?? page}`
  const [{ name }, changeDraft, forgetName, restoreName] = useDraft(NameDraft, draftName, { name: asked?.name ?? '' })
  const { error } = change
  const findProblem = (field: string) =>
    error instanceof ApiError ? error.problems.find(({ loc }) => loc.at(-1) === field)?.msg : undefined
  const nameProblem = findProblem('name')
  const isNewer = kind === 'save' && findProblem('updated_at') !== undefined
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    // Without its form the dialog is closed already, and another one or another page may be open.
    const finish = (view: SavedView | undefined) => {
      if (!form.isConnected) return
      forgetName()
      onDone(view)
    }
    // Who opens the dialog again before the answer comes has another view in mind.
    forgetName()
    try {
      if (kind === 'delete') {
        await change.mutateAsync({ kind, view: question.view })
        announce(`The view ${question.view.name} is deleted.`)
        finish(undefined)
        return
      }
      const saved = await change.mutateAsync(
        kind === 'create'
          ? { kind, name: name.trim(), state }
          : kind === 'rename'
            ? { kind: 'update', view: question.view, name: name.trim() }
            : { kind: 'update', view: question.view, state },
      )
      if (!saved) return
      announce(`The view ${saved.name} is saved.`)
      finish(saved)
    } catch {
      // The dialog shows it.
      restoreName({ name })
    }
  }
  return (
    <Dialog title={isNewer ? 'Replace the newer version?' : titles[kind]} onClose={onClose} className="w-96">
      <form noValidate className="flex flex-col gap-3" onSubmit={(event) => void submit(event)}>
        {kind === 'create' || kind === 'rename' ? (
          <Field label="Name" error={nameProblem} warning={describeInvisible(name)}>
            {(control) => (
              // The person opened the dialog to type it.
              <TextInput
                {...control}
                ref={askToReplace}
                value={name}
                onChange={({ target }) => changeDraft({ name: target.value })}
              />
            )}
          </Field>
        ) : kind === 'delete' ? (
          <p className="break-words">
            <strong className="font-semibold">
              <ForeignText text={question.view.name} />
            </strong>{' '}
            is removed for everyone with access to this project. What it shows stays.
          </p>
        ) : isNewer ? (
          <p className="break-words">
            Somebody else has changed{' '}
            <strong className="font-semibold">
              <ForeignText text={question.view.name} />
            </strong>{' '}
            since this page read it. Replace it, or cancel and save yours as a new view.
          </p>
        ) : null}
        {kind === 'create' && <p className="text-xs text-quiet">Everyone with access to this project sees it.</p>}
        {error && nameProblem === undefined && !isNewer && (
          <p role="alert" className="break-words text-bad">{`Not saved, or not known to be. ${error.message}`}</p>
        )}
        <div className="flex flex-wrap justify-end gap-2">
          <Button
            onClick={() => {
              forgetName()
              onClose()
            }}
          >
            Cancel
          </Button>
          <Button type="submit" variant={kind === 'delete' ? 'danger' : 'primary'} isBusy={change.isPending}>
            {isNewer ? 'Replace it' : buttons[kind]}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

const titles = {
  create: 'Save this view',
  rename: 'Rename this view',
  delete: 'Delete this view?',
  save: 'Save changes',
}
const buttons = { create: 'Save', rename: 'Rename', delete: 'Delete', save: 'Try again' }

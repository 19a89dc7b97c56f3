import { Suspense } from 'react'
import { createPortal } from 'react-dom'
import { parseScorerRef } from '../../../contract/scorer-ref'
import { lazyPart } from '../../client/lazy-part'
import { findVersion, useRefVersions } from '../../client/object-versions'
import { PartFallback } from '../../table/grid/PartFallback'
import { stringParam } from '../../table/view/url-params'
import { useUrlState } from '../../table/view/use-url-state'
import { Button } from '../../ui/Button'
import { Dialog } from '../../ui/Dialog'
import { moreIcons } from '../../ui/more-icons'
import { useStoresScorers } from './scorer-objects'
import { toScorerValues } from './scorer-values'
import type { StoredScorer } from './ScorerEditor'

const ScorerEditor = lazyPart(async () => (await import('./ScorerEditor')).ScorerEditor)

/** The scorer that is edited: its reference, `new`, or '' while none is. */
const params = { scorer: { ...stringParam(8000), keepsPage: true } }

/** Opens the editor: of the version that a reference names, or without one of a new scorer. */
export function useOpenScorer(): (ref?: string) => void {
  const [, setParams] = useUrlState(params)
  return (ref = 'new') => setParams({ scorer: ref })
}

/** The button of the editor. A service that stores no scorers is said to be one. */
export function MakeScorerButton() {
  const open = useOpenScorer()
  const storesScorers = useStoresScorers()
  if (storesScorers === false) return <span className="text-quiet">This service stores no scorers: it has no /obj/create.</span>
  return storesScorers ? (
    <Button icon={moreIcons.edit} onClick={() => open()}>
      Make a scorer
    </Button>
  ) : null
}

/** The editor of a scorer, open while the URL names one. */
export function ScorerDialog({ onStored }: { onStored: (scorer: StoredScorer, editedRef: string | undefined) => void }) {
  const [{ scorer }, setParams] = useUrlState(params)
  const parts = parseScorerRef(scorer)
  const { data: versions = [], isFetching, error } = useRefVersions([scorer])
  if (scorer === '') return null
  const base = typeof parts === 'string' ? undefined : findVersion(versions, parts)
  const close = () => setParams({ scorer: '' })
  const isNew = scorer === 'new'
  const isEditable = isNew || (base && toScorerValues(base.val, base.object_id))
  // Not within the form of the page: forms cannot stand in forms.
  return createPortal(
    <Dialog title={isNew ? 'Make a scorer' : 'Edit scorer'} onClose={close} className="w-200">
      {isEditable ? (
        <Suspense fallback={<PartFallback />}>
          <ScorerEditor
            key={scorer}
            base={base}
            onStored={(stored) => {
              close()
              onStored(stored, isNew ? undefined : scorer)
            }}
          />
        </Suspense>
      ) : error ? (
        <p role="alert">The scorer could not be read. {error.message}</p>
      ) : isFetching ? (
        <PartFallback />
      ) : (
        <p>This project has no such question for reviewers. It may be deleted, or belong to another project.</p>
      )}
    </Dialog>,
    document.body,
  )
}

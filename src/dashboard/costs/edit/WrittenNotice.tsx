import { useEffect, useRef } from 'react'
import { defaultProvider } from '../../../contract/price-files/compare-with-stored'
import { formatTime } from '../../format/instant'
import { ForeignText } from '../../format/ForeignText'
import { usePreferences } from '../../format/preferences'
import { formatVisibleText } from '../../format/visible-text'
import { Button } from '../../ui/Button'
import { CopyButton } from '../../ui/CopyButton'
import { Icon } from '../../ui/Icon'
import { MeanwhileRecorded } from './MeanwhileRecorded'
import { toPriceText } from './price-form'
import { SendFailure } from './SendFailure'
import type { WrittenPrice } from './use-record-price'
import { useRemovePrice } from './use-remove-price'
import { moreIcons } from '../../ui/more-icons'

type Props = { price: WrittenPrice; onAnother: () => void; onClose: () => void }

/** What was recorded, with an undo. */
export function WrittenNotice({ price: { id, model, cost, earlier, meanwhile }, onAnother, onClose }: Props) {
  const { zone } = usePreferences()
  const remove = useRemovePrice()
  const notice = useRef<HTMLDivElement>(null)
  // The focused form is removed, so the notice takes the focus; so it does when its undo button is.
  useEffect(() => {
    notice.current?.focus()
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- the success of the undo removes the focused button
  }, [remove.isSuccess])
  const perMillion = (perToken: number) => toPriceText(perToken, '1M')
  return (
    <section
      ref={notice}
      tabIndex={-1}
      aria-label={remove.isSuccess ? 'Undone' : 'Price recorded'}
      className="flex flex-col gap-4 outline-none"
    >
      <p className="flex items-start gap-2">
        <Icon
          name={remove.isSuccess ? moreIcons.undo : 'check'}
          className={`mt-0.5 ${remove.isSuccess ? 'text-quiet' : 'text-good'}`}
        />
        <span className="min-w-0 break-words">
          {remove.isSuccess ? (
            'Undone: the record is removed again, and the prices are as before.'
          ) : (
            <>
              <strong className="font-semibold">
                <ForeignText text={model} />
              </strong>
              {` at ${formatVisibleText(cost.provider_id ?? defaultProvider)} costs ${perMillion(cost.prompt_token_cost)} prompt, ${perMillion(cost.completion_token_cost)} completion (${cost.prompt_token_cost_unit} per 1M), ${cost.effective_date === undefined ? 'from now on' : `from ${formatTime(cost.effective_date, zone)} on`}${earlier && `, ${earlier}`}.`}
            </>
          )}
        </span>
      </p>
      {meanwhile.length > 0 && (
        <ul>
          <MeanwhileRecorded costs={meanwhile} />
          <li>Both are in the history. Of prices from the same moment on, the one recorded last counts.</li>
        </ul>
      )}
      {!remove.isSuccess && (
        <dl className="flex flex-wrap items-center gap-2 border-y border-line py-2">
          <dt className="text-quiet">Id</dt>
          <dd className="flex min-w-0 items-center gap-1">
            <code className="min-w-0 font-mono break-all">{id}</code>
            <CopyButton text={id} label="Copy id" />
          </dd>
        </dl>
      )}
      {remove.error && <SendFailure error={remove.error} what="removal" />}
      <div className="flex flex-wrap gap-2">
        <Button variant="primary" onClick={onClose}>
          Close
        </Button>
        <Button onClick={onAnother}>Add another</Button>
        {!remove.isSuccess && id !== '' && (
          <Button variant="quiet" icon={moreIcons.undo} isBusy={remove.isPending} onClick={() => remove.mutate(id)}>
            Undo
          </Button>
        )}
      </div>
    </section>
  )
}

import { useState } from 'react'
import { ApiError } from '../../client/api-error'
import { Banner } from '../../ui/Banner'
import { Button } from '../../ui/Button'
import { CopyButton } from '../../ui/CopyButton'
import { changedNothing } from './write-outcome'

type Props = {
  error: Error
  /** What was asked for. */
  what: 'price' | 'removal'
  /** Looks whether the price is there after all; true where it is. */
  onCheck?: () => Promise<boolean>
}

/** A request that failed, and what that says about what is recorded. */
export function SendFailure({ error, what, onCheck }: Props) {
  const isNothing = changedNothing(error)
  const [checked, setChecked] = useState<'no' | 'checking' | 'missing' | 'unread'>('no')
  const check = async () => {
    setChecked('checking')
    try {
      if (!(await onCheck?.())) setChecked('missing')
    } catch {
      setChecked('unread')
    }
  }
  return (
    <Banner
      tone="bad"
      title={titles[what][isNothing ? 'nothing' : 'unknown']}
      actions={
        <>
          {!isNothing && onCheck && (
            <Button icon="search" isBusy={checked === 'checking'} onClick={() => void check()}>
              Look whether it is there
            </Button>
          )}
          <CopyButton hasText label="Copy details" text={error instanceof ApiError ? error.details : error.message} />
        </>
      }
    >
      <p>{error.message}</p>
      {checked === 'missing' && <p>It is not there now. You can send it again.</p>}
      {checked === 'unread' && <p>The records could not be read either.</p>}
    </Banner>
  )
}

const titles = {
  price: { nothing: 'The price was not recorded', unknown: 'No usable reply: the price may or may not be recorded' },
  removal: {
    nothing: 'The price was not removed',
    unknown: 'No usable reply: the price may or may not be removed. It is safe to try again.',
  },
}

import { Banner } from '../ui/Banner'
import { Button } from '../ui/Button'
import { CopyButton } from '../ui/CopyButton'
import { moreIcons } from '../ui/more-icons'

/** What stands in a broken page's place. */
export function BrokenPage({ error, componentStack }: { error: Error; componentStack: string }) {
  // A new version on the server has other file names: only a reload finds them.
  const isMissingFile = /dynamically imported module|module script failed/i.test(error.message)
  const details = () =>
    [location.pathname, navigator.userAgent, error.stack ?? error.message, componentStack].filter(Boolean).join('\n\n')
  return (
    <Banner
      tone="bad"
      className="m-4"
      title={isMissingFile ? 'A part of this page did not load' : 'This page broke'}
      actions={
        <>
          <Button icon={moreIcons.refresh} onClick={() => location.reload()}>
            Reload
          </Button>
          <CopyButton hasText label="Copy details" text={details} />
        </>
      }
    >
      {isMissingFile ? 'The server may have a newer version by now, or cannot be reached.' : error.message}
    </Banner>
  )
}

import { Component, type ErrorInfo, type ReactNode } from 'react'
import { Banner } from '../ui/Banner'
import { Button } from '../ui/Button'
import { CopyButton } from '../ui/CopyButton'

type Props = { children: ReactNode; /** A new key (a navigation) tries to render again. */ resetKey: string }
type State = { error: Error | undefined; componentStack: string; resetKey: string }

/** Keeps the shell and the other pages alive when one page throws. */
export class ErrorBoundary extends Component<Props, State> {
  override state: State = { error: undefined, componentStack: '', resetKey: this.props.resetKey }

  static getDerivedStateFromError(thrown: unknown): Partial<State> {
    return { error: thrown instanceof Error ? thrown : new Error(String(thrown)) }
  }

  static getDerivedStateFromProps({ resetKey }: Props, state: State): State {
    return resetKey === state.resetKey ? state : { error: undefined, componentStack: '', resetKey }
  }

  override componentDidCatch(_: Error, { componentStack }: ErrorInfo) {
    this.setState({ componentStack: componentStack ?? '' })
  }

  override render() {
    const { error, componentStack } = this.state
    return error ? <BrokenPage error={error} componentStack={componentStack} /> : this.props.children
  }
}

function BrokenPage({ error, componentStack }: { error: Error; componentStack: string }) {
  // A new version of the dashboard has other file names: only a reload finds them.
  const isMissingFile = /dynamically imported module|module script failed/i.test(error.message)
  const details = () =>
    [location.pathname, navigator.userAgent, error.stack ?? error.message, componentStack].filter(Boolean).join('\n\n')
  return (
    <Banner
      tone="bad"
      className="m-4"
      title={isMissingFile ? 'A part of this page did not load' : 'This page crashed'}
      actions={
        <>
          <Button icon="refresh" onClick={() => location.reload()}>
            Reload
          </Button>
          <CopyButton hasText label="Copy details" text={details} />
        </>
      }
    >
      {isMissingFile ? 'The server has a newer version of the dashboard.' : error.message}
    </Banner>
  )
}

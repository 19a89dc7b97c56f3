import { Component, type ErrorInfo, type ReactNode } from 'react'
import { Banner } from '../ui/Banner'
import { Button } from '../ui/Button'
import { CopyButton } from '../ui/CopyButton'

type Props = { children: ReactNode; /** Another key (a navigation) is a new chance. */ resetKey: string }
type State = { error: Error | undefined; componentStack: string; resetKey: string }

/** A page that breaks takes neither the shell nor the other pages with it. */
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
    if (!error) return this.props.children
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
            <Button icon="refresh" onClick={() => location.reload()}>
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
}

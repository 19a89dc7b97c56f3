import { Component, type ErrorInfo, lazy, type ReactNode, Suspense } from 'react'

const BrokenPage = lazy(() =>
  import('./BrokenPage').then(
    ({ BrokenPage: component }) => ({ default: component }),
    // Where even this does not come, plain words must do.
    () => ({ default: ({ error }: { error: Error }) => <p role="alert">This page broke. Please reload it. {error.message}</p> }),
  ),
)

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
    return (
      <Suspense>
        <BrokenPage error={error} componentStack={componentStack} />
      </Suspense>
    )
  }
}

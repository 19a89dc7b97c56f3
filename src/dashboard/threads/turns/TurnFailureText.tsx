import { ForeignText } from '../../format/ForeignText'
import type { ThreadTurn } from './thread-turn'

/** Why a turn failed, in one line, with the name of the call below it that did. */
export function TurnFailureText({ turn, isOneLine = false }: { turn: ThreadTurn; isOneLine?: boolean }) {
  const { failure, id } = turn
  if (!failure || failure.message === null) return null
  return (
    <span className={isOneLine ? 'min-w-0 truncate text-bad' : 'text-bad wrap-anywhere'}>
      {failure.callId !== id && (
        <>
          <ForeignText text={failure.callName} />:{' '}
        </>
      )}
      <ForeignText text={failure.message} />
    </span>
  )
}

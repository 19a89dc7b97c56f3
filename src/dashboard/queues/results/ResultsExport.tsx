import { useRef, useState } from 'react'
import type { Queue } from '../../../contract/queues'
import { ApiError } from '../../client/api-error'
import { useConnection } from '../../client/connection-context'
import { formatCount } from '../../format/count'
import { ForeignText } from '../../format/ForeignText'
import { Button } from '../../ui/Button'
import { CopyButton } from '../../ui/CopyButton'
import { Menu, MenuItem } from '../../ui/Menu'
import { moreIcons } from '../../ui/more-icons'
import { readAnswers, type VersionByRef } from './answer-rows'
import { describeMissing, describeRead } from './describe-export'
import { type AnswerFormat, saveAnswers } from './save-answers'
import { saveDataset, toDatasetName } from './save-dataset'

type State =
  | { is: 'idle' }
  | { is: 'running'; count: number; isWaiting: boolean }
  | { is: 'failed'; message: string }
  | { is: 'saved'; refs: string[]; count: number; missing: string | undefined }

type Props = {
  queue: Queue
  versionByRef: VersionByRef
  /** Answers that the service has counted: an export with fewer is not complete. */
  answerCount: number
}

/** Saves the answers as a file, or as a dataset of the project. */
export function ResultsExport({ queue, versionByRef, answerCount }: Props) {
  const connection = useConnection()
  const [state, setState] = useState<State>({ is: 'idle' })
  const controller = useRef<AbortController>(undefined)

  const run = async (format: AnswerFormat | 'dataset') => {
    controller.current = new AbortController()
    const { signal } = controller.current
    const counts = { read: 0, expected: answerCount }
    const onProgress = (count: number) => {
      counts.read = count
      setState({ is: 'running', count, isWaiting: false })
    }
    const onFailure = (error: Error) => {
      const isTransient = error instanceof ApiError && error.isTransient
      setState({ is: 'running', count: counts.read, isWaiting: isTransient })
      return isTransient
    }
    onProgress(0)
    const toStopped = (): State => ({ is: 'failed', message: `Stopped after ${describeRead(counts)}: nothing was saved.` })
    try {
      const options = { connection, signal, onFailure }
      const parts = readAnswers(queue, versionByRef, options)
      if (format === 'dataset') {
        const saved = await saveDataset(queue, parts, { ...options, onProgress })
        setState({ is: 'saved', ...saved, missing: describeMissing(counts) })
      } else {
        const count = await saveAnswers(format, parts, { name: toDatasetName(queue.name), signal, onProgress })
        const missing = describeMissing(counts)
        if (count === undefined) setState(toStopped())
        else if (missing === undefined) setState({ is: 'idle' })
        else setState({ is: 'failed', message: `The file has ${describeRead(counts)}: ${missing}.` })
      }
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error)
      const missing = describeMissing(counts) ?? 'those after them are missing'
      const message = `The export failed after ${describeRead(counts)}: ${missing}, so nothing was saved. ${reason}`
      setState(signal.aborted ? toStopped() : { is: 'failed', message })
    }
  }

  if (state.is === 'running') {
    const read = describeRead({ read: state.count, expected: answerCount })
    return (
      <span className="flex items-center gap-2 tabular-nums">
        <output>{`${state.isWaiting ? 'Waiting for the server after' : 'Exporting,'} ${read}`}</output>
        <Button icon="stop" onClick={() => controller.current?.abort()}>
          Stop
        </Button>
      </span>
    )
  }
  return (
    <span className="flex min-w-0 flex-wrap items-center justify-end gap-2">
      {state.is === 'failed' && (
        <span role="alert" className="text-bad">
          {state.message}
        </span>
      )}
      {state.is === 'saved' && (
        <output className="flex min-w-0 items-center gap-1">
          <span className="min-w-0 break-all">
            {`Saved ${formatCount(String(state.count))} answers as `}
            {state.refs.length > 1 && `${state.refs.length} datasets, the first of them `}
            <code className="font-mono text-xs">
              <ForeignText text={state.refs[0] ?? ''} />
            </code>
          </span>
          <CopyButton
            label={state.refs.length > 1 ? 'Copy the references of the datasets' : 'Copy the reference of the dataset'}
            text={state.refs.join('\n')}
          />
          {state.missing && <span className="text-bad">{`Of the answers ${state.missing}.`}</span>}
        </output>
      )}
      <Menu
        label="Export results"
        align="end"
        renderTrigger={(trigger) => (
          <Button {...trigger} icon={moreIcons.download}>
            Export
          </Button>
        )}
      >
        <MenuItem icon={moreIcons.download} onSelect={() => void run('csv')}>
          Answers as CSV
        </MenuItem>
        <MenuItem icon={moreIcons.download} onSelect={() => void run('jsonl')}>
          Answers as JSON lines
        </MenuItem>
        <MenuItem icon={moreIcons.file} onSelect={() => void run('dataset')} aside={toDatasetName(queue.name)}>
          Save as a Weave dataset
        </MenuItem>
      </Menu>
    </span>
  )
}

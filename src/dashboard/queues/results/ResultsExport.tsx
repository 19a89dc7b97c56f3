import { useRef, useState } from 'react'
import type { Queue } from '../../../contract/queues'
import { useConnection } from '../../client/connection-context'
import { formatCount } from '../../format/count'
import { ForeignText } from '../../format/ForeignText'
import { Button } from '../../ui/Button'
import { CopyButton } from '../../ui/CopyButton'
import { Menu, MenuItem } from '../../ui/Menu'
import { moreIcons } from '../../ui/more-icons'
import { readAnswers, type VersionByRef } from './answer-rows'
import { type AnswerFormat, saveAnswers } from './save-answers'
import { saveDataset, toDatasetName } from './save-dataset'

type State =
  | { is: 'idle' }
  | { is: 'running'; count: number }
  | { is: 'failed'; message: string }
  | { is: 'saved'; refs: string[]; count: number }

/** Saves the answers as a file, or as a dataset of the project. */
export function ResultsExport({ queue, versionByRef }: { queue: Queue; versionByRef: VersionByRef }) {
  const connection = useConnection()
  const [state, setState] = useState<State>({ is: 'idle' })
  const controller = useRef<AbortController>(undefined)

  const run = async (format: AnswerFormat | 'dataset') => {
    controller.current = new AbortController()
    const { signal } = controller.current
    let read = 0
    const onProgress = (count: number) => {
      read = count
      setState({ is: 'running', count })
    }
    onProgress(0)
    const toStopped = (): State => ({
      is: 'failed',
      message: `Stopped after ${formatCount(String(read))} answers: nothing was saved.`,
    })
    try {
      const parts = readAnswers(queue, versionByRef, { connection, signal })
      if (format === 'dataset')
        setState({ is: 'saved', ...(await saveDataset(queue, parts, { connection, signal, onProgress })) })
      else {
        const count = await saveAnswers(format, parts, { name: toDatasetName(queue.name), signal, onProgress })
        setState(count === undefined ? toStopped() : { is: 'idle' })
      }
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error)
      setState(
        signal.aborted
          ? toStopped()
          : {
              is: 'failed',
              message: `The export failed after ${formatCount(String(read))} answers, so nothing was saved. ${reason}`,
            },
      )
    }
  }

  if (state.is === 'running') {
    return (
      <span className="flex items-center gap-2 tabular-nums">
        <output>{`Exporting, ${formatCount(String(state.count))} answers`}</output>
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

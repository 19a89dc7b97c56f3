import { useEffect, useRef, useState } from 'react'
import type { Connection } from '../client/connection'
import { announce } from '../ui/announce'
import { Button } from '../ui/Button'
import { Icon } from '../ui/Icon'
import { Skeleton } from '../ui/Skeleton'
import { toneIcons, toneText } from '../ui/tone'
import { describeProbeResult } from './describe-probe-result'
import { type Probe, probes } from './probes'
import { compareResult, type ProbeResult, runProbe } from './run-probe'

type Props = { connection: Connection; isReady: boolean }

/** Tests these values. Results of other values say nothing about them, so a change begins anew. */
export function ConnectionTest({ connection, isReady }: Props) {
  const { baseUrl, username, password, projectId } = connection
  return <Test key={JSON.stringify([baseUrl, username, password, projectId])} connection={connection} isReady={isReady} />
}

/** Sends one small request for each operation and describes the results. */
function Test({ connection, isReady }: Props) {
  const [received, setResults] = useState<ReadonlyMap<Probe, ProbeResult>>()
  const running = useRef<AbortController>(undefined)
  const results =
    received && new Map(Array.from(received, ([probe, result]) => [probe, compareResult(result, received.values())]))
  const isRunning = results !== undefined && results.size < probes.length

  // The requests run outside React.
  useEffect(() => () => running.current?.abort(), [])

  const test = async () => {
    running.current?.abort()
    const controller = new AbortController()
    running.current = controller
    setResults(new Map())
    const all = await Promise.all(
      probes.map(async (probe) => {
        const result = await runProbe(probe, connection, controller.signal)
        if (!controller.signal.aborted) setResults((before) => new Map(before).set(probe, result))
        return { probe, result }
      }),
    )
    if (controller.signal.aborted) return
    const others = all.map(({ result }) => result)
    const isBad = ({ probe, result }: (typeof all)[number]) =>
      describeProbeResult(compareResult(result, others), probe).tone === 'bad'
    const badCount = all.filter(isBad).length
    announce(badCount === 0 ? 'Test finished: nothing failed.' : `Test finished: ${badCount} of ${probes.length} failed.`)
  }

  return (
    <section aria-label="Test" className="border-t border-line pt-4">
      <div className="flex flex-wrap items-center gap-3">
        <Button
          icon="connection"
          isBusy={isRunning}
          aria-disabled={!isReady || undefined}
          onClick={() => void (isReady && test())}
        >
          Test
        </Button>
        <span className="text-quiet">Asks once for each operation and changes nothing.</span>
      </div>
      {results && (
        <ul aria-label="Test results" className="mt-3 border-t border-line">
          {probes.map((probe, index) => (
            <ProbeLine
              key={probe.operation}
              probe={probe}
              result={results.get(probe)}
              // The same advice four times is noise.
              isRepeated={probes.slice(0, index).some((before) => isSameResult(results.get(before), results.get(probe)))}
            />
          ))}
        </ul>
      )}
    </section>
  )
}

type LineProps = { probe: Probe; result: ProbeResult | undefined; isRepeated: boolean }

function ProbeLine({ probe, result, isRepeated }: LineProps) {
  const description = result && describeProbeResult(result, probe)
  return (
    <li className="grid grid-cols-[1fr_auto] gap-x-3 border-b border-line py-2 sm:grid-cols-[9rem_1fr_auto]">
      <span className="font-semibold">{probe.operation}</span>
      <span className="col-span-2 row-start-2 min-w-0 sm:col-span-1 sm:row-start-auto">
        {description ? (
          <>
            <span className={`flex items-start gap-1.5 ${toneText[description.tone]}`}>
              <Icon name={toneIcons[description.tone]} className="mt-0.5" />
              {description.title}
            </span>
            {description.advice && !isRepeated && <span className="block break-words text-quiet">{description.advice}</span>}
          </>
        ) : (
          <Skeleton className="h-3 w-20" />
        )}
      </span>
      <span className="col-start-2 row-start-1 text-right text-quiet tabular-nums sm:col-start-auto sm:row-start-auto">
        {result && `${result.durationMs} ms`}
      </span>
    </li>
  )
}

function isSameResult(one: ProbeResult | undefined, other: ProbeResult | undefined): boolean {
  return one?.outcome === other?.outcome && one?.message === other?.message
}

import { useEffect, useRef, useState } from 'react'
import { useConnection } from '../client/connection-context'
import { maxParsedLength, type Payload, type PayloadField, pieceLength, readOn } from './call-payload'
import { saveFile } from './save-file'

type Work = { kind: 'idle' } | { kind: 'reading' | 'saving'; to: number } | { kind: 'failed'; message: string }

/** A column of a call of which the first piece is there, and what a person may do to see the rest. */
export function usePayload(callId: string, field: PayloadField, first: Payload) {
  const connection = useConnection()
  const [payload, setPayload] = useState(first)
  const [work, setWork] = useState<Work>({ kind: 'idle' })
  const abort = useRef<AbortController>(undefined)
  // What is no longer looked at is not read on.
  useEffect(() => () => abort.current?.abort(), [])

  const run = async (task: (signal: AbortSignal) => Promise<void>) => {
    abort.current?.abort()
    const { signal } = (abort.current = new AbortController())
    try {
      await task(signal)
      if (!signal.aborted) setWork({ kind: 'idle' })
    } catch (error) {
      if (!signal.aborted) setWork({ kind: 'failed', message: error instanceof Error ? error.message : String(error) })
    }
  }
  const readUntil = (until: number) =>
    run(async (signal) => {
      setWork({ kind: 'reading', to: payload.to })
      const texts = [payload.text]
      let { to } = payload
      for await (const part of readOn(payload, until, { id: callId, field, connection, signal })) {
        texts.push(part.text)
        to = part.to
        setWork({ kind: 'reading', to })
      }
      setPayload({ ...payload, text: texts.join(''), to })
    })
  return {
    payload,
    work,
    readNext: () => void readUntil(payload.to + pieceLength),
    /** Undefined for a value that is too long to be read as a whole. */
    readAll: payload.length <= maxParsedLength ? () => void readUntil(payload.length) : undefined,
    save: () =>
      void run(async (signal) => {
        setWork({ kind: 'saving', to: payload.to })
        const blobs = [new Blob([payload.text])]
        for await (const { text, to } of readOn(payload, payload.length, { id: callId, field, connection, signal })) {
          blobs.push(new Blob([text]))
          setWork({ kind: 'saving', to })
        }
        saveFile(`${callId}-${field}.json`, blobs)
      }),
    stop: () => {
      abort.current?.abort()
      setWork({ kind: 'idle' })
    },
  }
}

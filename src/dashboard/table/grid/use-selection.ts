import { useState } from 'react'
import { announce } from '../../ui/announce'

type Identified<Row> = { id: string; original: Row }

/** The rows a person has chosen, kept over pages until they are cleared. */
export function useSelection<Row>() {
  const [selected, setSelected] = useState<ReadonlyMap<string, Row>>(new Map())
  const change = (rows: readonly Identified<Row>[], isSelected: boolean) => {
    const next = new Map(selected)
    for (const { id, original } of rows) {
      if (isSelected) next.set(id, original)
      else next.delete(id)
    }
    setSelected(next)
    announce(`${next.size} selected`)
  }
  return { selected, change, clear: () => setSelected(new Map()) }
}

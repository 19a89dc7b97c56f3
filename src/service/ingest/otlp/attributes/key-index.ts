import { isJsonObject } from '../../../../contract/json-value'
import type { Attributes } from './attributes'

/** An item of a list, by their numbers. */
type Entry = { readonly list: number; readonly place: number }

/** A key or the start of one: `a` and `a.b` of `a.b.c`. `own` are the items read from it, `below` those read from longer keys. */
type Node = { readonly parent: Node | undefined; readonly own: Entry[]; readonly below: Entry[] }

/** By the number of a list, the places of the items that a span may fill, in the list's order. */
export type PresentPlaces = readonly (readonly number[] | undefined)[]

/**
 * Tells which items of many lists a span may fill, by the attributes that the span has. The conventions know hundreds of keys
 * and a span has some ten attributes: looking up each of the keys took longer than all else that is done with a span.
 */
export class KeyIndex {
  private readonly nodes = new Map<string, Node>()
  private listCount = 0

  /** Adds a list by the keys that each of its items is read from, and returns its number. */
  addList(keysOfItems: readonly (readonly string[])[]): number {
    const list = this.listCount
    this.listCount += 1
    for (const [place, keys] of keysOfItems.entries()) {
      for (const key of keys) {
        const node = this.findOrAddNode(key)
        node.own.push({ list, place })
        for (let { parent } = node; parent; { parent } = parent) parent.below.push({ list, place })
      }
    }
    return list
  }

  /** An attribute counts for its key and for the keys above it; one that holds a map counts for those below it too. */
  findPresent(attributes: Attributes): PresentPlaces {
    const present: (number[] | undefined)[] = []
    let previous: Node | undefined
    for (const [key, value] of attributes) {
      const exact = this.nodes.get(key)
      const node = exact ?? this.findNodeAbove(key)
      // The attributes of a numbered list follow each other.
      if (node !== previous) for (let each = node; each; each = each.parent) addPlaces(present, each.own)
      if (exact && isJsonObject(value)) addPlaces(present, exact.below)
      previous = node
    }
    return present
  }

  private findOrAddNode(key: string): Node {
    const known = this.nodes.get(key)
    if (known) return known
    const dot = key.lastIndexOf('.')
    const node = { parent: dot === -1 ? undefined : this.findOrAddNode(key.slice(0, dot)), own: [], below: [] }
    this.nodes.set(key, node)
    return node
  }

  /** Each start of a node's key has a node, so the first one that is missing ends the search. */
  private findNodeAbove(key: string): Node | undefined {
    let found: Node | undefined
    for (let dot = key.indexOf('.'); dot !== -1; dot = key.indexOf('.', dot + 1)) {
      const next = this.nodes.get(key.slice(0, dot))
      if (!next) break
      found = next
    }
    return found
  }
}

function addPlaces(present: (number[] | undefined)[], entries: readonly Entry[]): void {
  for (const { list, place } of entries) {
    const places = present[list]
    if (!places) present[list] = [place]
    else if (!places.includes(place)) insertSorted(places, place)
  }
}

function insertSorted(places: number[], place: number): void {
  const next = places.findIndex((each) => each > place)
  if (next === -1) places.push(place)
  else places.splice(next, 0, place)
}

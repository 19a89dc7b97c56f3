import { Fields } from './fields'
import { type Attributes, type Json, jsonDouble, jsonInteger, type ValueBudget } from './span'

// Field numbers of opentelemetry-proto 1.x: common.
const keyValueField = { key: 1, value: 2 }
const valueField = { text: 1, boolean: 2, integer: 3, double: 4, list: 5, object: 6, bytes: 7 }
const listField = { values: 1 }

/** The messages in a repeated field. */
export function* messagesIn(bytes: Uint8Array, number: number): Generator<Uint8Array> {
  const fields = new Fields(bytes)
  while (fields.next()) if (fields.number === number) yield fields.bytes()
}

/** Attributes, the KeyValues of a repeated field. Throws a `RejectedSpan` beyond the budget. */
export function attributesIn(bytes: Uint8Array, number: number, budget: ValueBudget): Attributes {
  const attributes = new Map<string, Json>()
  for (const keyValue of messagesIn(bytes, number)) addAttribute(attributes, keyValue, budget, 0)
  return attributes
}

export function addAttribute(attributes: Map<string, Json>, bytes: Uint8Array, budget: ValueBudget, depth: number): void {
  budget.take(depth)
  let key = ''
  let value: Json = null
  const fields = new Fields(bytes)
  while (fields.next()) {
    if (fields.number === keyValueField.key) key = fields.text()
    else if (fields.number === keyValueField.value) value = readValue(fields.bytes(), budget, depth)
  }
  attributes.set(key, value)
}

function readValue(bytes: Uint8Array, budget: ValueBudget, depth: number): Json {
  let value: Json = null
  const fields = new Fields(bytes)
  while (fields.next()) {
    switch (fields.number) {
      case valueField.text:
        value = fields.text()
        break
      case valueField.boolean:
        value = fields.boolean()
        break
      case valueField.integer:
        value = jsonInteger(fields.int64())
        break
      case valueField.double:
        value = jsonDouble(fields.double())
        break
      case valueField.list:
        value = []
        for (const each of messagesIn(fields.bytes(), listField.values)) {
          budget.take(depth + 1)
          value.push(readValue(each, budget, depth + 1))
        }
        break
      case valueField.object: {
        const entries = new Map<string, Json>()
        for (const each of messagesIn(fields.bytes(), listField.values)) addAttribute(entries, each, budget, depth + 1)
        value = Object.fromEntries(entries)
        break
      }
      case valueField.bytes:
        value = fields.base64()
        break
    }
  }
  return value
}

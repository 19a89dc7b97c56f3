import { type Sql, sql } from './sql'

/** The greatest of the sorted whole numbers `steps` that is not above the whole number `value`; the least one below it. */
export function roundDownTo(value: Sql, steps: readonly (number | bigint)[]): Sql {
  return sql`roundDown(toInt64(${value}), arrayMap(step -> toInt64(step), ${steps.map(String)}))`
}

import { expect, test } from 'vitest'
import { dateTime, float64, identifier, int64, joinSql, renderSql, sql, uint64 } from './sql'

test('values become parameters and fragments nest', () => {
  const isRecent = sql`started_at > ${dateTime('2026-01-31 09:30:00.000000')}`
  const statement = sql`SELECT id FROM calls WHERE project_id = ${'acme/support'} AND ${isRecent} LIMIT ${uint64(10)}`
  expect(renderSql(statement)).toEqual({
    text: "SELECT id FROM calls WHERE project_id = {p1:String} AND started_at > {p2:DateTime64(6, 'UTC')} LIMIT {p3:UInt64}",
    params: { p1: 'acme/support', p2: '2026-01-31 09:30:00.000000', p3: 10 },
  })
})

test('a value that occurs again is bound once, as long as its type is the same', () => {
  const ids = ['a', 'b']
  const statement = sql`${'x'} ${'x'} ${ids} ${ids} ${[...ids]} ${uint64(1)} ${float64(1)} ${int64(1n)}`
  expect(renderSql(statement).text).toBe(
    '{p1:String} {p1:String} {p2:Array(String)} {p2:Array(String)} {p3:Array(String)} {p4:UInt64} {p5:Float64} {p6:Int64}',
  )
})

test('a long list is bound as one text, unless a text of it has the separator', () => {
  const ids = Array.from({ length: 100 }, (_, index) => `id ${index}`)
  expect(renderSql(sql`id IN ${ids}`)).toEqual({
    text: String.raw`id IN splitByChar('\x1f', {p1:String})`,
    params: { p1: ids.join('\u001f') },
  })
  for (const list of [ids.slice(1), [...ids, 'a\u001fb']]) {
    expect(renderSql(sql`id IN ${list}`)).toEqual({ text: 'id IN {p1:Array(String)}', params: { p1: list } })
  }
})

test('lists of fragments are joined', () => {
  const conditions = [sql`a = ${'1'}`, sql`b = ${'2'}`]
  expect(renderSql(sql`WHERE ${joinSql(conditions, ' AND ')}`).text).toBe('WHERE a = {p1:String} AND b = {p2:String}')
  expect(renderSql(joinSql([sql`a`], ', ')).text).toBe('a')
  expect(renderSql(joinSql([], ' AND ', sql`1`)).text).toBe('1')
})

test('text that looks like SQL stays a value', () => {
  const { text, params } = renderSql(sql`SELECT ${"'; DROP TABLE calls --"}`)
  expect(text).toBe('SELECT {p1:String}')
  expect(params).toEqual({ p1: "'; DROP TABLE calls --" })
})

test('a name is written as it is, and refused where it is more than a name', () => {
  expect(renderSql(sql`ORDER BY ${identifier('turn_count')}`).text).toBe('ORDER BY turn_count')
  expect(() => identifier('id; DROP TABLE calls')).toThrow('Not a name for SQL')
})

test('numbers beyond doubles are written as the engine reads them', () => {
  expect(renderSql(sql`${float64(Infinity)} ${float64(-Infinity)} ${float64(1e300)}`).params).toEqual({
    p1: 'inf',
    p2: '-inf',
    p3: '1e+300',
  })
})

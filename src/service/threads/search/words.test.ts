import * as fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { sql } from '../../store/sql'
import { CallWriterFixture } from '../../testing/call-writer-fixture'
import { findWords } from './words'

let fixture: CallWriterFixture
beforeAll(async () => {
  fixture = await CallWriterFixture.open()
})
afterAll(() => fixture.close())

const Words = z.object({ words: z.array(z.string()) })

async function readWords(texts: readonly string[]): Promise<string[][]> {
  const rows = await fixture.store.query(
    sql`SELECT ${findWords([sql`text`])} AS words FROM (SELECT arrayJoin(${texts}) AS text)`,
    Words,
  )
  return rows.map(({ words }) => words)
}

test('words of any script are found once, without regard to case', async () => {
  expect(
    await readWords(['Fetch the USER_id, then fetch_user(12).', 'Die STRASSE, die Straße: naïve “Ключ” 東京_2!', '__ 😀 -']),
  ).toEqual([['12', 'fetch', 'fetch_user', 'the', 'then', 'user_id'], ['die', 'naïve', 'strasse', 'ключ', '東京_2'], ['__']])
})

test('a long word counts by its first hundred characters', async () => {
  expect(await readWords([`${'a'.repeat(101)} ${'ß'.repeat(60)}`])).toEqual([['a'.repeat(100), 's'.repeat(100)]])
})

const ReferenceWords = z.object({ words: z.array(z.string()), reference: z.array(z.string()) })

// The reference says what a word is: one pattern over the whole text.
test('the same words are found as by one pattern for all scripts', async () => {
  const character = fc.oneof(
    fc.constantFrom(
      '_',
      ' ',
      'a',
      'Z',
      '9',
      '-',
      '\u0000',
      '\uFFFF',
      'ß',
      'İ',
      'ς',
      'K',
      '\u0301',
      'Ⓐ',
      '²',
      '“',
      '東',
      '😀',
      'ﬁ',
    ),
    fc.string({ unit: 'binary', minLength: 1, maxLength: 2 }),
  )
  const texts = fc.sample(fc.string({ unit: character, maxLength: 40 }), { numRuns: 3000, seed: 20_261_122 })
  const rows = await fixture.store.query(
    sql`SELECT ${findWords([sql`text`])} AS words, arraySort(arrayDistinct(arrayMap(word -> substringUTF8(word, 1, 100),
      extractAll(caseFoldUTF8(text), ${String.raw`[\p{L}\p{M}\p{N}_]+`})))) AS reference
    FROM (SELECT arrayJoin(${texts}) AS text)`,
    ReferenceWords,
  )
  expect(rows.length).toBe(texts.length)
  for (const { words, reference } of rows) expect(words).toEqual(reference)
})

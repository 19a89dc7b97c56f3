import * as z from 'zod/mini'
import { joinSql, type Sql, sql, uint64 } from '../../store/sql'
import type { QueryOptions, Store } from '../../store/store'

// A word is a run of letters, their marks, digits and `_` in any script, without regard to case. One place decides what that
// is, the engine: for the calls that are indexed and for the text that is searched.

/** Of the inputs, the output and the error of a call each. What is beyond is not indexed. */
const maxIndexedCharacters = 1_000_000

/** Longer words count by their beginning: most are data, and the index keeps each different word. */
const maxWordLength = 100

// A limit within the pattern takes seconds to compile: RE2 writes the class of all letters out each time (engine 26.7).
const word = String.raw`[\p{L}\p{M}\p{N}_]+`

/** An escape of JSON text is no letter: JSON.stringify writes letters as they are. */
const escape = String.raw`\\(?:u[0-9a-f]{4}|.)`

/** Words of a search may end in `*`, which stands for any letters. */
const searchedWord = String.raw`${word}\*?`

/** Unicode's case folding: STRASSE finds straße, and a sigma finds one at the end of a word. */
function fold(text: Sql): Sql {
  return sql`caseFoldUTF8(${text})`
}

const shorten = sql`word -> substringUTF8(word, 1, ${uint64(maxWordLength)})`

/** Stands for `_` where the engine would split at it. Unicode never assigns it to a letter. */
const underscore = '\uFFFF'

/** The different words of a call, as an array, where its columns are those of the wire (merged-calls.ts). */
export const wordsOfCall = findWords([withoutEscapes(sql`inputs`), withoutEscapes(sql`output`), sql`ifNull(exception, '')`])

// First, because a pattern for words and escapes at once takes seven times as long.
function withoutEscapes(json: Sql): Sql {
  return sql`replaceRegexpAll(${json}, ${escape}, ' ')`
}

/**
 * The different words of texts, sorted, as one array. `tokens` splits at everything in ASCII that is no letter or digit, and
 * that is the end of every word. What it leaves is in most texts only ASCII: the pattern and the folding of all scripts are
 * for the rest. Thus 2 to 7 times as fast as the pattern over the whole text (5 MB of English: 41 and 307 ms on one core).
 */
export function findWords(texts: readonly Sql[]): Sql {
  const all = texts.map((text) => {
    const indexed = sql`substringUTF8(${text}, 1, ${uint64(maxIndexedCharacters)})`
    return sql`tokens(replaceAll(replaceAll(${indexed}, ${underscore}, ' '), '_', ${underscore}))`
  })
  const pieces = sql`(arrayDistinct(arrayConcat(${joinSql(all, ', ')})) AS pieces)`
  const ascii = sql`arrayMap(piece -> lower(piece), arrayFilter(piece -> isASCII(piece), ${pieces}))`
  const others = sql`arrayMap(piece -> extractAll(${fold(sql`replaceAll(piece, ${underscore}, '_')`)}, ${word}),
    arrayFilter(piece -> NOT isASCII(piece), pieces))`
  return sql`arraySort(arrayDistinct(arrayMap(${shorten}, arrayConcat(${ascii}, arrayFlatten(${others})))))`
}

/** What a search asks for: words, and beginnings of words. */
export type SearchedWords = { words: readonly string[]; prefixes: readonly string[] }

const WordsRow = z.object({ words: z.array(z.string()) })

export async function readSearchedWords(store: Store, text: string, options: QueryOptions): Promise<SearchedWords> {
  const statement = sql`SELECT arrayDistinct(extractAll(${fold(sql`${text}`)}, ${searchedWord})) AS words`
  const [row] = await store.query(statement, WordsRow, options)
  const all = row?.words ?? []
  const isPrefix = (each: string) => each.endsWith('*')
  return {
    words: all.filter((each) => !isPrefix(each)).map(cut),
    prefixes: all.filter(isPrefix).map((each) => cut(each.slice(0, -1))),
  }
}

function cut(text: string): string {
  return Array.from(text).slice(0, maxWordLength).join('')
}

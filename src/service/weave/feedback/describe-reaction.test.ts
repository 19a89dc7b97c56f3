import { expect, test } from 'vitest'
import { describeReaction } from './describe-reaction'

test('an emoji has a name, and one without its skin tone', () => {
  expect(describeReaction('👍🏽')).toEqual({
    alias: ':thumbs_up_medium_skin_tone:',
    detoned: '👍',
    detoned_alias: ':thumbs_up:',
  })
})

// What emoji.demojize() and Weave's detone_emojis() give with Python's emoji 2.16.
test.each([
  ['❤️', ':red_heart:', '❤️', ':red_heart:'],
  ['❤', ':red_heart:', '❤️', ':red_heart:'],
  ['👎', ':thumbs_down:', '👎', ':thumbs_down:'],
  ['🎉', ':party_popper:', '🎉', ':party_popper:'],
  ['☝🏿', ':index_pointing_up_dark_skin_tone:', '☝️', ':index_pointing_up:'],
  ['🤷🏼‍♀️', ':woman_shrugging_medium-light_skin_tone:', '🤷‍♀️', ':woman_shrugging:'],
  ['👩🏽‍🚀', ':woman_astronaut_medium_skin_tone:', '👩‍🚀', ':woman_astronaut:'],
  ['👨🏻‍🦰', ':man_light_skin_tone_red_hair:', '👨‍🦰', ':man_red_hair:'],
  ['👨‍👩‍👧', ':family_man_woman_girl:', '👨‍👩‍👧', ':family_man_woman_girl:'],
  ['🇨🇬', ':Congo-Brazzaville:', '🇨🇬', ':Congo-Brazzaville:'],
  ['🏴󠁧󠁢󠁥󠁮󠁧󠁿', ':England:', '🏴󠁧󠁢󠁥󠁮󠁧󠁿', ':England:'],
  ['1️⃣', ':keycap_1:', '1️⃣', ':keycap_1:'],
  ['㊙️', ':Japanese_secret_button:', '㊙️', ':Japanese_secret_button:'],
  ['🅰️', ':A_button_(blood_type):', '🅰️', ':A_button_(blood_type):'],
  ['🏃🏻‍➡️', ':person_running_facing_right_light_skin_tone:', '🏃‍➡️', ':person_running_facing_right:'],
  ['👩🏽‍🤝‍👨🏿', ':woman_and_man_holding_hands_medium_skin_tone_dark_skin_tone:', '👫', ':woman_and_man_holding_hands:'],
  ['🧑🏻‍❤️‍💋‍🧑🏼', ':kiss_person_person_light_skin_tone_medium-light_skin_tone:', ':kiss_person_person:', ':kiss_person_person:'],
  ['🏽', ':medium_skin_tone:', '🏽', ':medium_skin_tone:'],
  ['yes 👍!', 'yes :thumbs_up:!', 'yes 👍!', 'yes :thumbs_up:!'],
])('%s is %s', (emoji, alias, detoned, detoned_alias) => {
  expect(describeReaction(emoji)).toEqual({ alias, detoned, detoned_alias })
})

test('an emoji that is newer than the list is its own name', () => {
  // Reserved for a later version of Unicode.
  expect(describeReaction('\u{1FAFF}')).toEqual({ alias: '\u{1FAFF}', detoned: '\u{1FAFF}', detoned_alias: '\u{1FAFF}' })
})

test.each(['', 'x', '1', '👍👎', '👍 👍', '👍'.repeat(600)])('%s is not one emoji', (text) => {
  expect(describeReaction(text)).toBeUndefined()
})

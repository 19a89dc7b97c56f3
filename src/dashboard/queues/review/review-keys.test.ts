// @vitest-environment happy-dom
import { describe, expect, test } from 'vitest'
import { type FocusPlace, toFocusPlace, toReviewAction } from './review-keys'

const press = (key: string, place: FocusPlace, more: object = {}) =>
  toReviewAction({ key, ctrlKey: false, metaKey: false, altKey: false, shiftKey: false, repeat: false, ...more }, place)

test('mod+Enter is done and next, wherever the focus is', () => {
  for (const place of ['text', 'line', 'choice', 'button', 'field'] as const) {
    expect(press('Enter', place, { ctrlKey: true })).toBe('done')
    expect(press('Enter', place, { metaKey: true })).toBe('done')
  }
})

test('nothing else fires in a text, except that Escape leaves it', () => {
  for (const key of ['s', 'u', '1', 'y', 'ArrowLeft', 'ArrowDown', 'Enter'])
    expect([key, press(key, 'text')]).toEqual([key, undefined])
  expect(press('Escape', 'text')).toBe('leave')
})

test('a number or a search keeps its arrows and digits, and Enter goes on', () => {
  for (const key of ['1', 's', 'ArrowUp', 'ArrowLeft']) expect(press(key, 'line')).toBeUndefined()
  expect(press('Enter', 'line')).toBe('commit')
})

test('arrows change a radio button, as people with screen readers expect, and move between items and fields elsewhere', () => {
  expect(press('ArrowLeft', 'choice')).toBeUndefined()
  expect(press('ArrowDown', 'choice')).toBeUndefined()
  const moves = ['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown'].map((key) => press(key, 'field'))
  expect(moves).toEqual(['previous-item', 'next-item', 'previous-field', 'next-field'])
})

test('a button keeps Enter', () => {
  expect(press('Enter', 'button')).toBeUndefined()
  expect(press('Enter', 'choice')).toBe('commit')
})

test('a letter without a meaning of its own begins a text, and a capital always does', () => {
  expect(press('t', 'field')).toBe('write')
  for (const key of ['S', 'U', 'Y', 'Ü']) expect(press(key, 'field', { shiftKey: true })).toBe('write')
  for (const place of ['choice', 'button', 'text'] as const) expect(press('T', place, { shiftKey: true })).toBeUndefined()
  for (const key of ['?', ' ', 'F5', '-']) expect(press(key, 'field')).toBeUndefined()
})

test('on a question for text every character begins it, the letters of commands too, until Escape has left it', () => {
  for (const key of ['s', 'u', 't', 'S', '-', '"', '{']) expect([key, press(key, 'text-field')]).toEqual([key, 'write'])
  expect(press('(', 'text-field', { shiftKey: true })).toBe('write')
  expect(press('4', 'text-field')).toEqual({ choose: '4' })
  for (const key of ['?', ' ', 'F5', 'Dead']) expect([key, press(key, 'text-field')]).toEqual([key, undefined])
  expect([press('Escape', 'text-field'), press('Enter', 'text-field')]).toEqual(['leave', 'commit'])
  expect([press('ArrowLeft', 'text-field'), press('ArrowDown', 'text-field')]).toEqual(['previous-item', 'next-field'])
})

test('a key that is still held decides nothing and chooses nothing, and presses no button again', () => {
  const repeat = true
  for (const key of ['s', 'u', 'y', '1', 'Enter', 'ArrowRight'])
    expect([key, press(key, 'field', { repeat })]).toEqual([key, 'ignore'])
  expect([press('Enter', 'button', { repeat }), press('Enter', 'text', { repeat, ctrlKey: true })]).toEqual(['ignore', 'ignore'])
  // A text is written as everywhere, and fields are passed.
  expect([press('Enter', 'text', { repeat }), press('s', 'text', { repeat }), press('ArrowDown', 'field', { repeat })]).toEqual([
    undefined,
    undefined,
    'next-field',
  ])
})

test.each(['ctrlKey', 'metaKey', 'altKey', 'shiftKey'])('keys of the browser with %s stay its own', (modifier) => {
  for (const key of modifier === 'shiftKey' ? ['1', 'ArrowLeft'] : ['s', 'u', '1', 'ArrowLeft'])
    expect(press(key, 'field', { [modifier]: true })).toBeUndefined()
})

test('letters count in both cases', () => {
  expect([press('S', 'field'), press('U', 'field'), press('Y', 'field'), press('3', 'choice')]).toEqual([
    'skip',
    'undo',
    { choose: 'y' },
    { choose: '3' },
  ])
})

describe('the place of an element', () => {
  test.each([
    ['<textarea></textarea>', 'text'],
    ['<input type="text">', 'text'],
    ['<input>', 'text'],
    ['<input role="spinbutton">', 'line'],
    ['<input role="combobox">', 'line'],
    ['<input type="radio">', 'choice'],
    ['<input type="range">', 'choice'],
    ['<button></button>', 'button'],
    ['<div></div>', 'field'],
    ['<fieldset data-answer-field><input type="radio"></fieldset>', 'field'],
    ['<fieldset data-answer-field><textarea></textarea></fieldset>', 'text-field'],
    ['<fieldset data-answer-field><input role="combobox"></fieldset>', 'text-field'],
  ])('%s: %s', (html, expected) => {
    document.body.innerHTML = html
    expect(toFocusPlace(document.body.firstElementChild)).toBe(expected)
  })

  test('a question for text that Escape has left takes the keys of commands', () => {
    document.body.innerHTML = '<fieldset data-answer-field><textarea></textarea></fieldset>'
    const field = document.body.firstElementChild as Element // it is there
    expect(toFocusPlace(field, field)).toBe('field')
  })
})

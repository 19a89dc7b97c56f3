import { expect, test } from 'vitest'
import { splitException } from './split-exception'

test('the message of an exception is told apart from its stack, wherever it stands', () => {
  const python = 'Traceback (most recent call last):\n  File "a.py", line 1, in <module>\n    f()\nValueError: no\nsecond line'
  expect(splitException(python)).toEqual({ message: 'ValueError: no\nsecond line', stack: python })
  expect(splitException('Error: no\n  more\n    at f (a.js:1:2)\n    at g')).toEqual({
    message: 'Error: no\n  more',
    stack: '    at f (a.js:1:2)\n    at g',
  })
  expect(splitException('It broke\n')).toEqual({ message: 'It broke', stack: null })
})

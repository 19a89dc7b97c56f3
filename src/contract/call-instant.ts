import * as z from 'zod/mini'
import { toInstant } from './instant'

/** The time of a call as SDKs write it: UTC with no, three or six digits of a fraction. It exists in every year, so no February 29. */
const commonForm =
  /^((?:19|20|21)\d\d-(?:(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])|(?:0[13-9]|1[0-2])-(?:29|30)|(?:0[13578]|1[02])-31)T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d)(?:\.(\d{3}|\d{6}))?(?:Z|\+00:00)$/

/**
 * The same as `Instant`, in a fifth of the time for the common form: calls arrive by the thousands a second, with two times
 * each. Apart from `Instant`, because the browser need not load it.
 */
export const CallInstant = z.pipe(
  z.string(),
  z.transform((text, context) => {
    const match = commonForm.exec(text)
    if (match) {
      const [, seconds = '', fraction = ''] = match
      return Number(fraction) === 0 ? `${seconds}Z` : `${seconds}.${fraction.padEnd(6, '0')}Z`
    }
    return toInstant(text, context)
  }),
)

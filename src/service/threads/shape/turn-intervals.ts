import type { SpendInterval } from '../../../contract/spend'
import { HttpError } from '../../http/http-error'
import { TimeSlices } from '../../lib/time-slices'
import type { TimeZone } from '../../spend/time-zone'

/** As many as are bound to a statement. */
const maxIntervals = 5000
/** What a chart can show. */
const wantedIntervals = 120

const hourSeconds = 3600
const seconds: Readonly<Record<Exclude<SpendInterval, 'month'>, number>> = {
  hour: hourSeconds,
  day: 24 * hourSeconds,
  week: 7 * 24 * hourSeconds,
}

/** When turns started, in whole seconds since 1970. */
export type TurnRange = { first: number; last: number }

/** The shortest interval of which about a hundred cover the range. */
export function chooseInterval({ first, last }: TurnRange): SpendInterval {
  const length = last - first
  return (['hour', 'day', 'week'] as const).find((each) => length <= wantedIntervals * seconds[each]) ?? 'month'
}

/**
 * The starts of all intervals from the first turn to the last one, and the end of the last. Throws 422 where these are too many.
 */
export async function listBoundaries(interval: SpendInterval, { first, last }: TurnRange, timeZone: TimeZone): Promise<number[]> {
  const slices = new TimeSlices()
  const boundaries = [timeZone.startOf(interval, first)]
  for (let end = boundaries[0] ?? first; end <= last;) {
    if (slices.isOver) await slices.next()
    end = timeZone.endOf(interval, end)
    boundaries.push(end)
    if (boundaries.length > maxIntervals + 1) throw tooManyIntervals(interval)
  }
  return boundaries
}

function tooManyIntervals(interval: SpendInterval): HttpError {
  return new HttpError('invalid', {
    loc: ['body', 'interval'],
    msg: `From the first turn to the last there are more than ${maxIntervals} intervals of one ${interval}. Choose a longer one, or narrow the filter.`,
    type: 'answer_too_large',
  })
}

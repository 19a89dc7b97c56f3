import { pino } from 'pino'

/** For tests that do not look at the log. */
export const silentLogger = pino({ level: 'silent' })

// Shifts the clock of the process by SHIFT_CLOCK_MS. NODE_OPTIONS=--import loads it.
const shiftMs = Number(process.env.SHIFT_CLOCK_MS ?? 0)
const RealDate = Date

globalThis.Date = class extends RealDate {
  constructor(...values) {
    if (values.length === 0) super(RealDate.now() + shiftMs)
    else super(...values)
  }

  static now() {
    return RealDate.now() + shiftMs
  }
}

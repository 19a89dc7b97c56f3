/** Tests run on machines that are busy with others. */
export const patientTimes = { maxReaderWaitMs: 100_000, maxCloseWaitMs: 100_000 }

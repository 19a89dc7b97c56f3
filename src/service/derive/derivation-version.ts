/**
 * Raise it when turns or threads are computed in another way. The next start then tries again what was set aside as not
 * computable.
 */
export const derivationVersion = 1

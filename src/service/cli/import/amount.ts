const grouped = new Intl.NumberFormat('en-US')

/** 12,345 */
export function amount(count: number): string {
  return grouped.format(count)
}

/** 1 call, 12,345 calls */
export function counted(count: number, plural: string): string {
  return count === 1 ? `1 ${plural.replace(/s$/, '')}` : `${amount(count)} ${plural}`
}

/** 1.2 MB */
export function size(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`
  const units = ['kB', 'MB', 'GB', 'TB']
  const power = Math.min(units.length, Math.floor(Math.log10(bytes) / 3))
  return `${(bytes / 1000 ** power).toFixed(1)} ${units[power - 1] ?? ''}`
}

/** 45 s, 3 min 20 s, 2 h 5 min */
export function duration(seconds: number): string {
  const whole = Math.ceil(seconds)
  if (whole < 60) return `${whole} s`
  if (whole < 3600) return `${Math.floor(whole / 60)} min ${whole % 60} s`
  return `${Math.floor(whole / 3600)} h ${Math.floor((whole % 3600) / 60)} min`
}

/** `1234567` as `1,234,567`. */
export function formatCount(whole: string): string {
  return whole.replaceAll(/\B(?=(?:\d{3})+$)/g, ',')
}

/** `1 call`, `12,000 calls`. */
export function formatQuantity(count: number, one: string, many = `${one}s`): string {
  return `${formatCount(String(count))} ${count === 1 ? one : many}`
}

/** `1234567` as `1,234,567`. */
export function formatCount(whole: string): string {
  return whole.replaceAll(/\B(?=(?:\d{3})+$)/g, ',')
}

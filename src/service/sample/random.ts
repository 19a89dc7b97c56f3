/** A generator of numbers in [0, 1) that gives the same for the same seed (mulberry32). */
export class Random {
  constructor(private state: number) {}

  next(): number {
    this.state = (this.state + 0x6d2b79f5) | 0
    let bits = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state)
    bits = (bits + Math.imul(bits ^ (bits >>> 7), 61 | bits)) ^ bits
    return ((bits ^ (bits >>> 14)) >>> 0) / 2 ** 32
  }

  between(least: number, most: number): number {
    return least + this.next() * (most - least)
  }

  whole(least: number, most: number): number {
    return Math.floor(this.between(least, most + 1))
  }

  chance(probability: number): boolean {
    return this.next() < probability
  }

  pick<const T>(list: readonly [T, ...T[]]): T {
    return list[Math.floor(this.next() * list.length)] ?? list[0]
  }

  /** Log-normal about `median`: as the times of remote services are spread, most near it and a few far above. */
  around(median: number, spread: number): number {
    const normal = Math.sqrt(-2 * Math.log(1 - this.next())) * Math.cos(2 * Math.PI * this.next())
    return median * Math.exp(spread * normal)
  }

  uuid(): string {
    const digits = Array.from({ length: 32 }, () => this.whole(0, 15).toString(16)).join('')
    const variant = (8 + this.whole(0, 3)).toString(16)
    return `${digits.slice(0, 8)}-${digits.slice(8, 12)}-4${digits.slice(13, 16)}-${variant}${digits.slice(17, 20)}-${digits.slice(20)}`
  }
}

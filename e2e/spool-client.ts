/** Sends requests like an SDK: JSON over HTTP with Basic credentials. */
export class SpoolClient {
  constructor(
    readonly url: string,
    readonly username: string,
    readonly password: string,
  ) {}

  async post(
    path: string,
    body: unknown,
    headers: Readonly<Record<string, string>> = {},
    signal: AbortSignal | null = null,
  ): Promise<Response> {
    return fetch(new URL(path, this.url), {
      method: 'POST',
      headers: { authorization: this.authorization, 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
      signal,
    })
  }

  /** Posts and returns the parsed JSON. Any status but 200 throws an error with the body. */
  async postJson(path: string, body: unknown): Promise<unknown> {
    const response = await this.post(path, body)
    if (response.status !== 200) throw new Error(`${path} responded with ${response.status}: ${await response.text()}`)
    return response.json()
  }

  /** Posts and returns the parsed lines of the stream. */
  async postLines(path: string, body: unknown): Promise<Record<string, unknown>[]> {
    return this.readLines(path, await this.post(path, body))
  }

  /** The JSON lines of a response; throws unless its status is 200. */
  async readLines(path: string, response: Response): Promise<Record<string, unknown>[]> {
    const text = await response.text()
    if (response.status !== 200) throw new Error(`${path} responded with ${response.status}: ${text}`)
    return text
      .split('\n')
      .filter((line) => line !== '')
      .map((line): Record<string, unknown> => JSON.parse(line))
  }

  get authorization(): string {
    return `Basic ${Buffer.from(`${this.username}:${this.password}`).toString('base64')}`
  }
}

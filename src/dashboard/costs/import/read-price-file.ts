import { readCsvPrices } from '../../../contract/price-files/csv-prices'
import type { PriceList } from '../../../contract/price-files/imported-price'
import { readLitellmPrices } from '../../../contract/price-files/litellm-prices'

/** As for the command `spool import`. */
const maxBytes = 64 * 1024 * 1024

/**
 * Reads the prices of a file as `spool import` does: CSV by its name, otherwise LiteLLM's JSON; gzip is unpacked. Throws an
 * error whose message says why the file cannot be read.
 */
export async function readPriceFile(file: File): Promise<PriceList> {
  const text = await readText(file)
  if (text.trim() === '') throw new Error('The file is empty.')
  const isCsv = /\.csv(?:\.gz)?$/i.test(file.name) || !/^\s*[{[]/.test(text)
  return isCsv ? readCsvPrices(text) : readLitellmPrices(text)
}

async function readText(file: File): Promise<string> {
  const isTooLarge = () => new Error(`The file is larger than ${maxBytes / 1024 / 1024} MiB. Split it.`)
  if (file.size > maxBytes) throw isTooLarge()
  const bytes = new Uint8Array(await file.arrayBuffer())
  const isGzip = bytes[0] === 0x1f && bytes[1] === 0x8b
  const content = isGzip ? await unpack(bytes) : bytes
  if (content.length > maxBytes) throw isTooLarge()
  try {
    // It removes a byte order mark.
    return new TextDecoder('utf-8', { fatal: true }).decode(content)
  } catch {
    throw new Error('The file is not valid UTF-8. Save it as UTF-8.')
  }
}

async function unpack(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
  const unpacked = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'))
  try {
    return new Uint8Array(await new Response(unpacked).arrayBuffer())
  } catch {
    throw new Error('The gzip data is damaged or incomplete.')
  }
}

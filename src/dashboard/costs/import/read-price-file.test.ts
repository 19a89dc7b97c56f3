import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { readPriceFile } from './read-price-file'

const csv = 'llm_id,prompt_cost_per_million,completion_cost_per_million\ngpt-4o,2.5,10\n'
const litellm = '{"gpt-4o": {"input_cost_per_token": 2.5e-06, "output_cost_per_token": 1e-05}}'
const price = { llmId: 'gpt-4o', cost: { prompt_token_cost: 0.0000025, completion_token_cost: 0.00001 } }

test.each([
  ['prices.csv', csv],
  ['prices.txt', csv],
  ['model_prices.json', litellm],
])('reads %s, plain and as gzip', async (name, text) => {
  expect((await readPriceFile(new File([text], name))).prices).toEqual([price])
  expect((await readPriceFile(new File([gzipSync(text)], `${name}.gz`))).prices).toEqual([price])
})

test.each([
  ['nothing', [''], 'The file is empty.'],
  ['other bytes', [new Uint8Array([0xff, 0xfe, 0x41])], 'The file is not valid UTF-8. Save it as UTF-8.'],
  ['damaged gzip', [gzipSync(csv).subarray(0, 20)], 'The gzip data is damaged or incomplete.'],
])('says why a file of %s cannot be read', async (_, parts, message) => {
  await expect(readPriceFile(new File(parts, 'prices.csv'))).rejects.toThrow(message)
})

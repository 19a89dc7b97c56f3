import * as z from 'zod/mini'
import texts from './sample-texts.json'

function nonEmptyList<Item extends z.core.$ZodType>(item: Item) {
  return z.tuple([item], item)
}

const Text = z.string()
const Topic = z.strictObject({
  name: Text,
  articles: nonEmptyList(Text),
  tool: z.strictObject({
    name: Text,
    arguments: z.array(Text),
    result: z.record(Text, z.union([Text, z.number(), z.boolean()])),
  }),
  openings: nonEmptyList(Text),
  exchanges: nonEmptyList(z.tuple([Text, Text])),
})
export type Topic = z.infer<typeof Topic>

const SampleTexts = z.strictObject({
  topics: nonEmptyList(Topic),
  products: nonEmptyList(Text),
  cities: nonEmptyList(Text),
  streets: nonEmptyList(Text),
  names: nonEmptyList(Text),
})
export type SampleTexts = z.infer<typeof SampleTexts>

/**
 * Reads what customers of Harbor & Pine, an outdoor shop that does not exist, and its support bot write. Texts contain
 * placeholders such as `{order}`. An exchange is a question and its answer.
 */
export function readSampleTexts(): SampleTexts {
  return z.parse(SampleTexts, texts)
}

import protobuf from 'protobufjs/minimal.js'
import type { GeneratedCall } from './generate-calls'

const payload = 'A question with the documents found for it. '.repeat(22)

/** An OTLP request for these calls, as an exporter writes it in protobuf. */
export function buildSpansRequest(projectId: string, calls: readonly GeneratedCall[]): Buffer {
  const [entity = '', project = ''] = projectId.split('/')
  const writer = protobuf.Writer.create()
  writer.uint32(0x0a).fork() // resource_spans
  writer.uint32(0x0a).fork() // resource
  writeAttribute(writer, 0x0a, 'wandb.entity', entity)
  writeAttribute(writer, 0x0a, 'wandb.project', project)
  writer.ldelim()
  writer.uint32(0x12).fork() // scope_spans
  for (const call of calls) writeSpan(writer, call)
  writer.ldelim().ldelim()
  return Buffer.from(writer.finish())
}

function writeSpan(writer: protobuf.Writer, { id, traceId, turnId, threadId, startMs, durationMs }: GeneratedCall): void {
  writer.uint32(0x12).fork() // span
  writer.uint32(0x0a).bytes(Buffer.from(traceId, 'hex'))
  writer.uint32(0x12).bytes(Buffer.from(id, 'hex'))
  if (id !== turnId) writer.uint32(0x22).bytes(Buffer.from(turnId, 'hex')) // parent_span_id
  writer.uint32(0x2a).string('answer')
  writer.uint32(0x30).int32(1)
  writer.uint32(0x39).fixed64(toNanoseconds(startMs))
  writer.uint32(0x41).fixed64(toNanoseconds(startMs + durationMs))
  writeAttribute(writer, 0x4a, 'gen_ai.conversation.id', threadId)
  writeAttribute(writer, 0x4a, 'gen_ai.request.model', 'gpt-4o')
  writeAttribute(writer, 0x4a, 'input.value', payload)
  writeAttribute(writer, 0x4a, 'output.value', payload)
  writer.ldelim()
}

function writeAttribute(writer: protobuf.Writer, tag: number, key: string, value: string): void {
  writer.uint32(tag).fork().uint32(0x0a).string(key).uint32(0x12).fork().uint32(0x0a).string(value).ldelim().ldelim()
}

/** As two halves of 32 bits: the number is larger than 2^53. */
function toNanoseconds(ms: number) {
  const value = BigInt(ms) * 1_000_000n
  return { low: Number(BigInt.asIntN(32, value)), high: Number(value >> 32n), unsigned: true }
}

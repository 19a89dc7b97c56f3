import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { testProperty } from '../../../testing/test-property'
import { type ExportRequest, InvalidFrameError, readExportRequest, spansSignal } from './export-request'
import { InvalidOtlpError } from './invalid-otlp-error'
import { jsonEncoding } from './json-encoding'
import { protobufEncoding } from './protobuf-encoding'
import { type AnyValue, type OtlpRequest, toProtobuf } from './testing/to-protobuf'
import type { Span } from './trace-messages'

const exampleSpan = {
  traceId: 'ab'.repeat(16),
  spanId: 'cd'.repeat(8),
  name: 'chat',
  startTimeUnixNano: '1790000000123456789',
}
const example: OtlpRequest = {
  resourceSpans: [
    {
      resource: { attributes: [{ key: 'service.name', value: { stringValue: 'shop' } }] },
      scopeSpans: [
        {
          scope: { name: 'lib', version: '1' },
          spans: [{ ...exampleSpan, attributes: [{ key: 'tokens', value: { intValue: '12' } }] }],
        },
      ],
    },
  ],
}

/** All of a request, its spans decoded. */
function readAll({ itemCount, items }: ExportRequest<Span>) {
  return {
    spanCount: itemCount,
    spans: [...items()].map(({ resource, scope, place, decode }) => ({ resource, scope, place, span: decode() })),
  }
}

test('a request gives the same spans in both encodings', () => {
  const request = readAll(readExportRequest(example, jsonEncoding, spansSignal))
  expect(request).toMatchObject({
    spanCount: 1,
    spans: [
      {
        place: 'resource_spans[0].scope_spans[0].spans[0]',
        resource: new Map([['service.name', 'shop']]),
        scope: { name: 'lib', version: '1' },
        span: {
          traceId: 'ab'.repeat(16),
          name: 'chat',
          startTimeUnixNano: 1_790_000_000_123_456_789n,
          endTimeUnixNano: 0n,
          attributes: new Map([['tokens', 12]]),
          events: [],
          status: undefined,
        },
      },
    ],
  })
  expect(readAll(readExportRequest(toProtobuf(example), protobufEncoding, spansSignal))).toEqual(request)
})

const value: fc.Arbitrary<AnyValue> = fc.letrec<{ value: AnyValue }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    fc.string({ unit: 'binary' }).map((stringValue) => ({ stringValue: Buffer.from(stringValue).toString() })),
    fc.boolean().map((boolValue) => ({ boolValue })),
    fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map((int) => ({ intValue: String(int) })),
    fc.double({ noNaN: true, noDefaultInfinity: true }).map((double) => ({ doubleValue: double === 0 ? 0 : double })),
    fc.uint8Array({ maxLength: 9 }).map((bytes) => ({ bytesValue: Buffer.from(bytes).toString('base64') })),
    fc.constant({}),
    fc.array(tie('value'), { maxLength: 3 }).map((values) => ({ arrayValue: { values } })),
    fc
      .array(fc.record({ key: fc.constantFrom('a', 'b.c', '__proto__', ''), value: tie('value') }), { maxLength: 3 })
      .map((values) => ({ kvlistValue: { values } })),
  ),
})).value
const keys = [
  'gen_ai.prompt.0.role',
  'gen_ai.prompt',
  'a',
  'a.b',
  '__proto__',
  'constructor.x',
  '',
  '..',
  'list.0',
  'list.1',
  'session.id',
  'ü',
]
const attributes = fc.array(fc.record({ key: fc.constantFrom(...keys), value }), { maxLength: 6 })
const spanId = (number: number) => number.toString(16).padStart(16, '0')
const anySpan = fc.record({
  traceId: fc.constantFrom('0a'.repeat(16), 'f0'.repeat(16)),
  spanId: fc.integer({ min: 1, max: 2 ** 40 }).map(spanId),
  parentSpanId: fc.constantFrom('', '0'.repeat(16), spanId(7)),
  traceState: fc.constantFrom('', 'a=b'),
  flags: fc.nat(),
  name: fc.string(),
  kind: fc.nat({ max: 7 }),
  startTimeUnixNano: fc.bigInt({ min: 0n, max: 10n ** 19n }).map(String),
  endTimeUnixNano: fc.bigInt({ min: 0n, max: 10n ** 19n }).map(String),
  attributes,
  events: fc.array(
    fc.record({ timeUnixNano: fc.constant('5'), name: fc.constantFrom('exception', 'gen_ai.user.message'), attributes }),
    { maxLength: 2 },
  ),
  links: fc.array(fc.record({ traceId: fc.constant('cd'.repeat(16)), spanId: fc.constant(spanId(9)), attributes }), {
    maxLength: 1,
  }),
  status: fc.record({ code: fc.nat({ max: 3 }), message: fc.constantFrom('', 'no') }),
  droppedAttributesCount: fc.nat({ max: 2 }),
})
const anyRequest = fc.record({
  resourceSpans: fc.array(
    fc.record({
      resource: fc.record({ attributes }),
      scopeSpans: fc.array(
        fc.record({
          scope: fc.record({ name: fc.string(), version: fc.string() }),
          spans: fc.array(anySpan, { maxLength: 3 }),
        }),
        { maxLength: 2 },
      ),
    }),
    { maxLength: 2 },
  ),
})

const ofDouble = (doubleValue: number | string): OtlpRequest => ({
  resourceSpans: [{ scopeSpans: [{ spans: [{ ...exampleSpan, attributes: [{ key: 'score', value: { doubleValue } }] }] }] }],
})
const readScore = (request: ExportRequest<Span>) => [...request.items()][0]?.decode().attributes.get('score')

test.each([
  [NaN, 'NaN'],
  [Infinity, 'Infinity'],
  [-Infinity, '-Infinity'],
])('%s, which JSON cannot hold, is kept by its name in both encodings', (double, name) => {
  expect(readScore(readExportRequest(toProtobuf(ofDouble(double)), protobufEncoding, spansSignal))).toBe(name)
  expect(readScore(readExportRequest(ofDouble(name), jsonEncoding, spansSignal))).toBe(name)
})

test('a number of JSON that is too large for a double is infinite', () => {
  const request: unknown = JSON.parse(JSON.stringify(ofDouble(7)).replace(':7}', ':-1e400}'))
  expect(readScore(readExportRequest(request, jsonEncoding, spansSignal))).toBe('-Infinity')
})

test.each(['', 'abc', ' 1', '0x10', '1e', 'infinity'])("a double of the text '%s' is refused", (text) => {
  expect(() => readScore(readExportRequest(ofDouble(text), jsonEncoding, spansSignal))).toThrow("'doubleValue' must be a number")
})

testProperty('every request gives the same spans in both encodings', anyRequest, { runs: 300 }, (request) => {
  const json: unknown = JSON.parse(JSON.stringify(request))
  expect(readAll(readExportRequest(toProtobuf(request), protobufEncoding, spansSignal))).toEqual(
    readAll(readExportRequest(json, jsonEncoding, spansSignal)),
  )
})

const good = toProtobuf(example)
const changed = fc
  .record({ length: fc.nat({ max: good.length }), at: fc.nat({ max: good.length - 1 }), byte: fc.nat({ max: 255 }) })
  .map(({ length, at, byte }) => good.map((each, index) => (index === at ? byte : each)).slice(0, length))

testProperty(
  'any bytes are decoded or refused as invalid OTLP',
  fc.oneof(fc.uint8Array({ maxLength: 200 }), changed),
  { runs: 3000 },
  (bytes) => {
    try {
      readAll(readExportRequest(bytes, protobufEncoding, spansSignal))
    } catch (error) {
      expect([InvalidFrameError, InvalidOtlpError]).toContain(error instanceof Error && error.constructor)
    }
  },
)

test('a field of a wrong wire type is named', () => {
  // Field 1 of the request as a varint.
  expect(() => readExportRequest(Uint8Array.of(0x08, 1), protobufEncoding, spansSignal)).toThrow(
    "Field 1 ('resourceSpans') cannot have the wire type 0.",
  )
})

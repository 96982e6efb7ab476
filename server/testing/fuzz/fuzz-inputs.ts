// Generates inputs of one operation with fast-check: valid ones from the schema in the API description, and invalid
// ones with every kind of malformed request. Equal seeds give equal inputs.
import fc from 'fast-check'
import type { Endpoint } from '#contract/endpoint.ts'
import { toJsonSchema, type JsonSchema } from '../../platform/http/openapi/json-schema.ts'
import { changeAt, hostileValues, listPaths, type Json } from './schema-samples.ts'

export interface FuzzInput {
  /** Path parameters by name, not yet encoded. */
  params: Record<string, string>
  /** The query string, as sent. */
  query: string
  body: string | undefined
  headers: Record<string, string>
}

/** Existing values by field name. */
export type KnownValues = Record<string, Json>

/** Generates inputs. Half of them follow the schema, the other half violate it somewhere. */
export function generateInputs(endpoint: Endpoint, known: KnownValues): fc.Arbitrary<FuzzInput> {
  const fields = (schema: Endpoint['body']) =>
    schema ? inside(toJsonSchema(schema, 'input'), known) : fc.constant<Json>({})
  const right = fc.record({
    params: fields(endpoint.params).map(toTexts),
    query: fields(endpoint.query).map(toQuery),
    body: endpoint.body
      ? fields(endpoint.body).map((body) => JSON.stringify(body))
      : fc.constant(undefined),
    headers: fc.constant<Record<string, string>>({}),
  })
  const wrong = fc.record({
    params: fc.oneof(fields(endpoint.params).map(toTexts), wrongParams(endpoint)),
    query: fc.oneof(fields(endpoint.query).map(toQuery), wrongQuery(endpoint)),
    body: wrongBody(endpoint, fields(endpoint.body)),
    headers: fc.dictionary(fc.constantFrom(...headerNames), headerValue, { maxKeys: 4 }),
  })
  return fc.oneof(right, wrong)
}

function inside(schema: JsonSchema, known: KnownValues, field = ''): fc.Arbitrary<Json> {
  const made = make(schema, known)
  const given = known[field]
  // Never turned on, because in maintenance mode all responses would be alike.
  if (field === 'maintenance_mode') return fc.constant(false)
  return given === undefined ? made : fc.oneof({ weight: 4, arbitrary: fc.constant(given) }, made)
}

function make(schema: JsonSchema, known: KnownValues): fc.Arbitrary<Json> {
  const { enum: choices, const: only, anyOf, oneOf, type } = schema
  const either = (anyOf ?? oneOf) as JsonSchema[] | undefined
  if (choices) return fc.constantFrom(...(choices as Json[]))
  if (only !== undefined) return fc.constant(only as Json)
  if (either) return fc.oneof(...either.map((one) => make(one, known)))
  if (type === 'object') return makeObject(schema, known)
  if (type === 'array') {
    const { items = {}, minItems = 0 } = schema as { items?: JsonSchema; minItems?: number }
    return fc.array(make(items, known), { minLength: minItems, maxLength: minItems + 4 })
  }
  if (type === 'boolean') return fc.boolean()
  if (type === 'null') return fc.constant(null)
  if (type === 'integer' || type === 'number') return makeNumber(schema)
  return type === 'string' ? makeText(schema) : fc.jsonValue().map((value) => value as Json)
}

function makeObject(schema: JsonSchema, known: KnownValues): fc.Arbitrary<Json> {
  const { properties = {}, required = [] } = schema as {
    properties?: Record<string, JsonSchema>
    required?: string[]
  }
  const model = Object.fromEntries(
    Object.entries(properties).map(([name, property]) => [name, inside(property, known, name)]),
  )
  return fc.record(model, { requiredKeys: required }) as fc.Arbitrary<Json>
}

function makeNumber(schema: JsonSchema): fc.Arbitrary<number> {
  const { type, minimum, maximum } = schema as { type: string; minimum?: number; maximum?: number }
  const min = minimum ?? Number.MIN_SAFE_INTEGER
  const max = maximum ?? Number.MAX_SAFE_INTEGER
  const whole = fc.oneof(fc.integer({ min, max }), fc.constantFrom(min, max))
  return type === 'integer' ? whole : fc.oneof(whole, fc.double({ min, max, noNaN: true }))
}

function makeText(schema: JsonSchema): fc.Arbitrary<string> {
  const { format, pattern } = schema as { format?: string; pattern?: string }
  const { minLength = 0, maxLength = 200 } = schema as { minLength?: number; maxLength?: number }
  if (format === 'uuid') return fc.uuid()
  if (format === 'email') return fc.emailAddress()
  if (format === 'date' || format === 'date-time') return makeDate(format)
  // A pattern that only excludes U+0000 allows arbitrary text; any other pattern needs matching strings.
  if (pattern && !pattern.includes('u0000')) return fc.stringMatching(new RegExp(pattern))
  const longest = Math.max(minLength, Math.min(maxLength, 300))
  return fc.oneof(
    fc.string({ unit: 'binary', minLength, maxLength: longest }),
    fc.string({ minLength, maxLength: longest }),
    fc.constantFrom(...hostileTexts).map((text) => text.slice(0, maxLength).padEnd(minLength, 'x')),
  )
}

function makeDate(format: 'date' | 'date-time'): fc.Arbitrary<string> {
  const [min, max] = [new Date('1000-01-02T00:00:00Z'), new Date('2999-12-30T00:00:00Z')]
  const offset = fc.constantFrom('Z', '+23:59', '-23:59', '+05:30')
  return fc
    .tuple(fc.date({ min, max, noInvalidDate: true }), offset)
    .map(([date, zone]) =>
      format === 'date' ? date.toISOString().slice(0, 10) : date.toISOString().replace('Z', zone),
    )
}

const hostileTexts = [
  ...hostileValues.filter((value) => typeof value === 'string').map((text) => text.slice(0, 5000)),
  '=cmd|calc!A1',
  'javascript:alert(1)',
  '{{7*7}}${7*7}<%= 7*7 %>',
  '%00%0d%0aset-cookie: a=b',
  '\r\nset-cookie: a=b',
  '\u202Etxt.exe',
  '\uFEFF',
  '𝕬'.repeat(100),
  'ﷺ'.repeat(100),
  '1e9999',
  '-0',
  'NaN',
  'null',
  '//evil.example',
  '\\\\evil.example\\share',
]

const headerNames = [
  'content-type',
  'accept',
  'accept-encoding',
  'range',
  'if-range',
  'if-none-match',
  'if-modified-since',
  'origin',
  'referer',
  'sec-fetch-site',
  'cookie',
  'authorization',
  'upload-token',
  'stripe-signature',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-http-method-override',
  'traceparent',
  'user-agent',
] as const

/** Header values that an HTTP client can send. Invalid headers are tested over a raw connection. */
const headerValue = fc.oneof(
  fc.constantFrom(
    'bytes=0-0,2-3,4-5,-1',
    `bytes=${'0-,'.repeat(500)}0-1`,
    'bytes=99999999999999999999-',
    'bytes=-0',
    'application/json; charset=utf-7',
    'application/x-www-form-urlencoded',
    'multipart/form-data',
    'text/plain',
    'application/offset+octet-stream',
    '*/*',
    '"x", W/"y", *',
    'https://evil.example',
    'null',
    'cross-site',
    '1.0.0',
    '-1',
    '18446744073709551616',
    'velour.session_token=%00.%ff',
    't=1,v1=00',
    'DELETE',
    'x'.repeat(6000),
  ),
  fc.string({ maxLength: 60 }).map((text) => text.replaceAll(/[^\x21-\x7e]/g, '') || '-'),
)

function wrongParams({ path }: Endpoint): fc.Arbitrary<Record<string, string>> {
  const names = [...path.matchAll(/:(\w+)/g)].map(([, name]) => name ?? '')
  const text = fc.oneof(fc.constantFrom(...hostileTexts), fc.string({ unit: 'binary' }))
  return fc.record(Object.fromEntries(names.map((name) => [name, text])))
}

function wrongQuery({ query }: Endpoint): fc.Arbitrary<string> {
  const { properties = {} } = query ? toJsonSchema(query, 'input') : {}
  const name = fc.constantFrom(...Object.keys(properties as object), 'unknown', '__proto__', '')
  const value = fc.oneof(fc.constantFrom(...hostileTexts), fc.string({ unit: 'binary' }))
  const pair = fc
    .tuple(name, fc.constantFrom('=', '[]=', '[a][b]=', '', '==', '=%', '=%ff', '=%c0%80'), value)
    .map(([key, sign, text]) => `${key}${sign}${encodeText(text).slice(0, 2000)}`)
  return fc.array(pair, { maxLength: 4 }).map((pairs) => pairs.join('&'))
}

function wrongBody(
  { body, method, accepts }: Endpoint,
  right: fc.Arbitrary<Json>,
): fc.Arbitrary<string | undefined> {
  if (method === 'GET') return fc.constant(undefined)
  const noJson = fc.oneof(
    fc.constantFrom('', '{', '[', 'null', '"', '{"a":1,"a":2}', '{"__proto__":{"role":"admin"}}'),
    fc.constantFrom('['.repeat(5000), `{"a":${'['.repeat(5000)}${']'.repeat(5000)}}`, '1e99999'),
    fc.constantFrom('{"constructor":{"prototype":{"x":1}}}', '\u0000', '\uFEFF{}', 'a=b&c=d'),
    fc.string({ unit: 'binary' }),
  )
  if (!body || accepts) return fc.oneof(fc.constant(undefined), noJson)
  const broken = fc
    .tuple(right, fc.nat(), fc.oneof(fc.constantFrom(...hostileValues), fc.jsonValue()))
    .map(([value, place, harm]) => {
      const places = listPaths(value)
      return JSON.stringify(changeAt(value, places[place % places.length] ?? [], harm as Json))
    })
  const cut = fc.tuple(right, fc.nat()).map(([value, at]) => {
    const text = JSON.stringify(value)
    return text.slice(0, at % text.length)
  })
  return fc.oneof({ weight: 4, arbitrary: broken }, cut, noJson)
}

function toTexts(value: Json): Record<string, string> {
  return Object.fromEntries(Object.entries(value ?? {}).map(([name, part]) => [name, String(part)]))
}

function toQuery(value: Json): string {
  return Object.entries(toTexts(value))
    .map(([name, text]) => `${encodeText(name)}=${encodeText(text)}`)
    .join('&')
}

/** Replaces lone surrogates, which cannot be encoded in a URL. */
export function encodeText(text: string): string {
  return encodeURIComponent(text.toWellFormed())
}

// Generates inputs from the schemas of the contract: valid ones, and all ways in which one field can be wrong or
// malicious.
import * as z from 'zod/mini'
import type { SchemaDefinition } from '../../platform/http/openapi/schema-example.ts'

export type Json = null | boolean | number | string | Json[] | { [name: string]: Json }
type Fields = { [name: string]: Json }

const id = '0191a0c0-0000-7000-8000-00000000dead'
/** Values to try in this order, until the schema accepts one. */
const texts = ['Sample text', 'sample', 'a@example.com', id, '2026-01-01', '123456', 'audio/wav']
const moreTexts = [
  'a'.repeat(64),
  '2026-01-01T00:00:00Z',
  'https://example.com/',
  '/',
  'a.m3u',
  '#2b50ff',
  'sk_test_12345',
]
const numbers = [1, 0, 0.5, 45, 1000]

/**
 * Returns values that the schema accepts, one per variant. `known` contains values by field name, such as ids of
 * existing rows.
 */
export function generateSamples(schema: z.ZodMiniType, known: Fields, field = ''): Json[] {
  const given = known[field]
  if (given !== undefined && z.safeParse(schema, given).success) return [given]
  const { type, innerType, options, element, shape, entries, values, ...pipe } = define(schema)
  if (innerType) return generateSamples(innerType, known, field)
  if (pipe.in && pipe.out) {
    const either = [pipe.in, pipe.out].flatMap((side) => generateSamples(side, known, field))
    return either.filter((value) => z.safeParse(schema, value).success)
  }
  if (options) return options.flatMap((option) => generateSamples(option, known, field))
  if (type === 'object') return [sampleObject(shape ?? {}, known)]
  if (type === 'array' && element) {
    const one = generateSamples(element, known, singular(field))[0] ?? null
    return [z.safeParse(schema, [one]).success ? [one] : [one, one]]
  }
  if (type === 'enum') return [Object.values(entries ?? {})[0] ?? '']
  if (type === 'literal') return [(values?.[0] ?? null) as Json]
  if (type === 'boolean') return [true]
  if (type === 'record') return [{}]
  const candidates: Json[] = type === 'number' ? numbers : [...texts, ...moreTexts]
  return [candidates.find((value) => z.safeParse(schema, value).success) ?? null]
}

function sampleObject(shape: Record<string, z.ZodMiniType>, known: Fields): Fields {
  return Object.fromEntries(
    Object.entries(shape).map(([name, schema]) => [
      name,
      generateSamples(schema, known, name)[0] ?? null,
    ]),
  )
}

function define(schema: z.ZodMiniType): SchemaDefinition {
  return schema._zod.def as unknown as SchemaDefinition
}

const singular = (field: string) => field.replace(/s$/, '')

const megabyte = 'x'.repeat(1024 * 1024)
export const hostileValues: readonly Json[] = [
  null,
  true,
  -1,
  1e308,
  2 ** 53,
  '',
  'a\u0000b',
  '\ud800',
  "'; drop table profiles; --",
  '<img src=x onerror=alert(1)>',
  '../../../../etc/passwd',
  'not-a-uuid',
  '9999999999-01-01',
  [],
  ['a', ['b']],
  { $ne: null, constructor: { prototype: 1 } },
  megabyte,
]

/** Returns copies of `body` with one field removed, replaced by each malicious value, or added. */
export function generateMutations(body: Json): Json[] {
  const replaced = listPaths(body).flatMap((place) => [
    changeAt(body, place, undefined),
    ...hostileValues.map((value) => changeAt(body, place, value)),
  ])
  return [...replaced, ...extended(body)]
}

type Place = readonly (string | number)[]

export function listPaths(value: Json, place: Place = []): Place[] {
  if (typeof value !== 'object' || value === null) return [place]
  const within = Object.entries(value).flatMap(([name, part]) =>
    listPaths(part, [...place, Array.isArray(value) ? Number(name) : name]),
  )
  return [place, ...within]
}

export function changeAt(body: Json, [name, ...rest]: Place, value: Json | undefined): Json {
  if (name === undefined) return value ?? null
  const copy = structuredClone(body) as Fields
  if (rest.length > 0) copy[name] = changeAt(copy[name] ?? null, rest, value)
  else if (value === undefined) delete copy[name]
  else copy[name] = value
  return copy
}

function extended(body: Json): Json[] {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return []
  return [{ ...body, role: 'admin', is_admin: true, created_at: '2000-01-01', source_key: 'x' }]
}

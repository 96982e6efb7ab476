// The rules of a smart playlist: which tracks, in which order, and how many. Stored in this format.
import * as z from 'zod/mini'
import { day } from './dates.ts'

export const textFields = [
  'title',
  'artist',
  'genre',
  'category',
  'mood',
  'tag',
  'release',
] as const
export const textOperators = ['is', 'is_not', 'contains', 'contains_not'] as const
export const numberFields = ['duration', 'bpm', 'plays'] as const
export const numberOperators = ['at_least', 'at_most'] as const
/** `heard`: when the listener last played the track. */
export const dateFields = ['added', 'released', 'heard'] as const
export const smartOrders = [
  'newest',
  'oldest',
  'title',
  'artist',
  'most_played',
  'least_played',
  'heard_last',
  'heard_longest_ago',
  'liked_last',
  'shortest',
  'longest',
  'random',
] as const
export type SmartOrder = (typeof smartOrders)[number]

export const maxRuleGroups = 5
export const maxRulesPerGroup = 10
export const maxSmartTracks = 1000

const match = z.enum(['all', 'any'])

export const smartRule = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('text'),
    field: z.enum(textFields),
    operator: z.enum(textOperators),
    value: z
      .string()
      .check(z.trim(), z.minLength(1), z.maxLength(200))
      .check(z.describe('Ignores case and accents. For a category, its slug.')),
  }),
  z.object({
    kind: z.literal('number'),
    field: z.enum(numberFields),
    operator: z.enum(numberOperators),
    value: z
      .number()
      .check(z.minimum(0), z.maximum(100_000))
      .check(
        z.describe(
          'Seconds, beats per minute, or number of plays by the listener, depending on the field.',
        ),
      ),
  }),
  z.object({
    kind: z.literal('days'),
    field: z.enum(dateFields),
    operator: z
      .enum(['in_last', 'not_in_last'])
      .check(z.describe('`not_in_last` also matches tracks that were never played.')),
    value: z.number().check(z.int(), z.minimum(1), z.maximum(3650)),
  }),
  z.object({
    kind: z.literal('day'),
    field: z.enum(dateFields),
    operator: z.enum(['before', 'since']).check(z.describe('Days begin at midnight UTC.')),
    value: day,
  }),
  /** Whether the listener likes the track. */
  z.object({ kind: z.literal('liked'), value: z.boolean() }),
  z.object({
    kind: z.literal('sounds_like'),
    what: z
      .enum(['track', 'artist'])
      .check(z.describe('Whether tracks must sound like a track or like an artist.')),
    id: z.uuid(),
    name: z.string().check(z.maxLength(300)).check(z.describe('The name shown in the editor.')),
  }),
])
export type SmartRule = z.infer<typeof smartRule>

export const smartRules = z.object({
  match: match.check(z.describe('Whether all groups must match, or any of them.')),
  groups: z
    .array(
      z.object({
        match,
        rules: z.array(smartRule).check(z.minLength(1), z.maxLength(maxRulesPerGroup)),
      }),
    )
    .check(z.minLength(1), z.maxLength(maxRuleGroups)),
  order: z.enum(smartOrders),
  limit: z.number().check(z.int(), z.minimum(1), z.maximum(maxSmartTracks)),
})
export type SmartRules = z.infer<typeof smartRules>

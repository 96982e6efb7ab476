// Numbers for the owner: what is heard, who comes, what comes in. All days are in UTC.
import * as z from 'zod/mini'
import { day as givenDay } from './dates.ts'
import { endpoint } from './endpoint.ts'
import { pageQuery, pagination } from './pagination.ts'

/** A first payment so many days after a preview counts as led to by it. */
export const previewLeadDays = 7
/** The curve of a track has so many parts; who is left after the last one heard it to the end. */
export const curveParts = 20
export const maxInsightDays = 1100

const count = z.number()
const day = z.iso.date()

export const insightDay = z.object({
  day,
  /** Counted plays of whole tracks, counted previews, and every beginning of a whole track. */
  plays: count,
  previews: count,
  starts: count,
  completed: count,
  heard_seconds: count,
  /** Different people on that day, and within the seven days that end with it. */
  listeners: count,
  listeners_7d: count,
  sign_ups: count,
  /** What came in, and what was paid back of it. */
  revenue_cents: count,
  refunds_cents: count,
  /** Monthly worth of what is paid for at the end of the day, by so many people. */
  mrr_cents: count,
  paying: count,
  /** People whose paid time ended on that day and who did not go on within a week. */
  lost: count,
  /** First payments ever, and those within a week of a preview. */
  conversions: count,
  preview_conversions: count,
})
export type InsightDay = z.infer<typeof insightDay>

/** Real figures, or the made-up ones that a demo shows. */
export const figureKinds = ['real', 'demo'] as const
export type Figures = (typeof figureKinds)[number]

const range = {
  start: givenDay,
  end: givenDay,
  /** While the demo is off there are no demo figures. */
  figures: z._default(z.enum(figureKinds), 'real'),
}

export const getInsights = endpoint({
  method: 'GET',
  path: '/api/admin-insights',
  summary: 'Plays, people and money per day (UTC), and the same for as many days before.',
  access: 'admin',
  mayLag: true,
  query: z.object(range),
  output: z.object({
    days: z.array(insightDay),
    previous: z.array(insightDay),
    /** The currency of the money here, and others in the ledger that are not in it. */
    currency: z.string(),
    other_currencies: z.array(z.string()),
    /** Up to when everything is counted; null: nothing was counted yet. */
    rolled_at: z.nullable(z.string()),
    /** False: nobody has played, signed up or paid since the service began. */
    has_data: z.boolean(),
  }),
  errors: ['invalid_period'],
})

export const topTrackSorts = ['plays', 'previews', 'completion', 'conversions'] as const
export type TopTrackSort = (typeof topTrackSorts)[number]

export const topTrack = z.object({
  track_id: z.uuid(),
  title: z.string(),
  artist: z.string(),
  plays: count,
  previews: count,
  starts: count,
  completed: count,
  /** People who paid for the first time within a week of a preview of this track. */
  conversions: count,
})
export type TopTrack = z.infer<typeof topTrack>

export const listTopTracks = endpoint({
  method: 'GET',
  path: '/api/admin-insights/tracks',
  summary: 'The tracks that were played, the most first.',
  access: 'admin',
  mayLag: true,
  query: z.object({
    ...range,
    sort: z._default(z.enum(topTrackSorts), 'plays'),
    ...pageQuery(20),
  }),
  output: z.object({ data: z.array(topTrack), pagination }),
  errors: ['invalid_period'],
})

export const getTrackInsights = endpoint({
  method: 'GET',
  path: '/api/admin-insights/tracks/:id',
  summary: 'One track per day, and how far it is listened to.',
  access: 'admin',
  mayLag: true,
  params: z.object({ id: z.uuid() }),
  query: z.object(range),
  output: z.object({
    track_id: z.uuid(),
    title: z.string(),
    artist: z.string(),
    duration: z.number(),
    days: z.array(
      z.object({ day, plays: count, previews: count, starts: count, completed: count }),
    ),
    /** Beginnings that were left in each twentieth of the track, then those heard to the end. */
    left_at: z.array(count),
    conversions: count,
  }),
  errors: ['track_not_found', 'invalid_period'],
})

export const insightExports = ['days', 'tracks', 'ledger'] as const
export type InsightExport = (typeof insightExports)[number]

export const exportInsights = endpoint({
  method: 'GET',
  path: '/api/admin-insights/export.csv',
  summary: 'The days, the tracks or every entry of the ledger, as CSV.',
  access: 'admin',
  needsConfirmation: true,
  audit: { insights: ['export'] },
  query: z.object({ ...range, what: z._default(z.enum(insightExports), 'days') }),
  produces: 'text/csv',
  errors: ['rate_limited', 'invalid_period'],
})

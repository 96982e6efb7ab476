// Statistics for the owner: plays, listeners and revenue. All days are in UTC.
import * as z from 'zod/mini'
import { day as givenDay, timestamp } from '../fields/dates.ts'
import { endpoint } from '../endpoint.ts'
import { pageQuery, pagination } from '../fields/pagination.ts'
import { pageKinds } from '../public-pages.ts'
import { exportLimit } from '../rate-limit.ts'

/** Maximum number of days from a preview to the first payment that is attributed to it. */
export const previewLeadDays = 7
/**
 * Number of intervals in a track's retention curve. Listeners counted after the last interval played the track to the
 * end.
 */
export const curveParts = 20
export const maxInsightDays = 1100

const count = z.number()
const day = z.iso.date()

export const insightDay = z.object({
  day,
  plays: count.check(
    z.describe(
      'Counted plays of full tracks. `previews` are counted previews, and `starts` are all starts of full tracks.',
    ),
  ),
  previews: count,
  starts: count,
  completed: count,
  heard_seconds: count,
  listeners: count.check(
    z.describe(
      'Distinct listeners on that day. `listeners_7d` covers the seven days that end with it.',
    ),
  ),
  listeners_7d: count,
  sign_ups: count,
  revenue_cents: count.check(z.describe('The amount paid on that day, before refunds.')),
  refunds_cents: count,
  mrr_cents: count.check(
    z.describe(
      'Monthly recurring revenue at the end of the day. `paying` is the number of people who contribute to it.',
    ),
  ),
  paying: count,
  lost: count.check(
    z.describe('People whose paid period ended on that day and who did not renew within a week.'),
  ),
  conversions: count.check(
    z.describe('First payments. `preview_conversions` are those within a week of a preview.'),
  ),
  preview_conversions: count,
})
export type InsightDay = z.infer<typeof insightDay>

/** Whether to return statistics of real plays, or the generated statistics of the demo. */
export const figureKinds = ['real', 'demo'] as const
export type Figures = (typeof figureKinds)[number]

const range = {
  start: givenDay,
  end: givenDay,
  figures: z
    ._default(z.enum(figureKinds), 'real')
    .check(z.describe('`demo` is available only while the demo is on.')),
}

export const getInsights = endpoint({
  method: 'GET',
  path: '/api/admin-insights',
  summary:
    'Plays, listeners and revenue per day (UTC), for the given days and an equally long preceding period.',
  access: 'admin',
  mayLag: true,
  query: z.object(range),
  output: z.object({
    days: z.array(insightDay).check(z.describe('The statistics of each day.')),
    previous: z
      .array(insightDay)
      .check(z.describe('The statistics of each day of the preceding period.')),
    currency: z
      .string()
      .check(
        z.describe(
          'The currency of these amounts. Payments in the other currencies of the ledger are excluded.',
        ),
      ),
    other_currencies: z.array(z.string()),
    rolled_at: z
      .nullable(timestamp)
      .check(
        z.describe(
          'The time up to which the data is complete. Null if nothing has been counted yet.',
        ),
      ),
    has_data: z.boolean().check(z.describe('False if nobody has played, signed up or paid yet.')),
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
  conversions: count.check(
    z.describe('People whose first payment came within a week of a preview of this track.'),
  ),
})
export type TopTrack = z.infer<typeof topTrack>

export const listTopTracks = endpoint({
  method: 'GET',
  path: '/api/admin-insights/tracks',
  summary: 'Tracks that were played, most played first.',
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
  summary: 'The daily statistics of a track, and its retention curve.',
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
    left_at: z
      .array(count)
      .check(
        z.describe(
          'Plays that ended in each twentieth of the track, followed by plays that reached the end.',
        ),
      ),
    conversions: count,
    early_access_plays: z
      .nullable(count)
      .check(
        z.describe(
          'Counted full plays during early access, on any day. Null if the track had no early access.',
        ),
      ),
  }),
  errors: ['track_not_found', 'invalid_period'],
})

export const earlyAccessInsight = z.object({
  kind: z.enum(['track', 'release', 'playlist']),
  id: z.uuid(),
  title: z.string(),
  artist: z.string().check(z.describe('Empty for a playlist.')),
  early_from: timestamp.check(
    z.describe('When early access began. `early_until` is when it ends or ended.'),
  ),
  early_until: timestamp,
  plays: count.check(
    z.describe(
      'Counted plays of full tracks during early access. `previews` are counted previews, and `listeners` are the people who played. For a playlist, plays of its tracks count wherever they were started.',
    ),
  ),
  previews: count,
  listeners: count,
  new_members: count.check(z.describe('People whose first payment came during early access.')),
  conversions: count.check(
    z.describe('Of these, people who had played a preview of it during early access.'),
  ),
})
export type EarlyAccessInsight = z.infer<typeof earlyAccessInsight>

export const listEarlyAccess = endpoint({
  method: 'GET',
  path: '/api/admin-insights/early-access',
  summary:
    'The effect of early access: releases, tracks and curated playlists that were in early access on these days, latest first. Tracks of such a release are not listed separately.',
  access: 'admin',
  mayLag: true,
  query: z.object({ ...range, ...pageQuery(10) }),
  output: z.object({ data: z.array(earlyAccessInsight), pagination }),
  errors: ['invalid_period'],
})

export const insightExports = ['days', 'tracks', 'ledger'] as const
export type InsightExport = (typeof insightExports)[number]

export const exportInsights = endpoint({
  method: 'GET',
  path: '/api/admin-insights/export.csv',
  summary: 'Statistics by day or by track, or every ledger entry, as CSV.',
  access: 'admin',
  needsConfirmation: true,
  audit: { insights: ['export'] },
  query: z.object({ ...range, what: z._default(z.enum(insightExports), 'days') }),
  produces: 'text/csv',
  rateLimit: exportLimit,
  errors: ['invalid_period'],
})

export const pageInsight = z.object({
  kind: z.enum(pageKinds),
  item_id: z.uuid(),
  title: z.string(),
  slug: z
    .nullable(z.string())
    .check(z.describe("The last segment of the public page's URL. Null if it was deleted.")),
  shares: count.check(z.describe('Number of times the share button was used.')),
  visits: count.check(z.describe('Visits by people. Crawlers are not counted.')),
  previews: count,
  sign_ups: count.check(
    z.describe(
      'New members who came from this page. `paid` is how many of them made a first payment.',
    ),
  ),
  paid: count,
})
export type PageInsight = z.infer<typeof pageInsight>

export const listPageInsights = endpoint({
  method: 'GET',
  path: '/api/admin-insights/pages',
  summary:
    'Public pages by number of visits, with shares, visits, previews, sign-ups and first payments.',
  access: 'admin',
  query: z.object({ start: givenDay, end: givenDay, ...pageQuery(20) }),
  output: z.object({ data: z.array(pageInsight), pagination }),
  errors: ['invalid_period'],
})

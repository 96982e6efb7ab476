// A creator's own statistics: plays of their own tracks. Days are in UTC.
import * as z from 'zod/mini'
import { day } from '../fields/dates.ts'
import { pageQuery, pagination } from '../fields/pagination.ts'
import { endpoint } from '../endpoint.ts'

const figures = {
  plays: z.number().check(z.describe('Counted plays of full tracks.')),
  listeners: z.number().check(z.describe('Distinct people who played a track or heard a preview.')),
  heard_minutes: z.number().check(z.describe('Minutes played, including previews.')),
}

export const ownTrackFigures = z.object({
  track_id: z.uuid(),
  title: z.string(),
  is_published: z.boolean(),
  ...figures,
})
export type OwnTrackFigures = z.infer<typeof ownTrackFigures>

export const getOwnFigures = endpoint({
  method: 'GET',
  path: '/api/own-figures',
  summary: "Plays, listeners and minutes of the creator's own tracks, most played first.",
  access: 'creator',
  owned: 'filtered',
  query: z.object({
    start: day,
    end: day,
    ...pageQuery(50),
  }),
  output: z.object({
    total: z.object(figures).check(z.describe('The totals over all tracks.')),
    data: z.array(ownTrackFigures),
    pagination,
  }),
  errors: ['invalid_period'],
})

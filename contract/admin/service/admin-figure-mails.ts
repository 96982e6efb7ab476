// The weekly statistics emails to admins.
import * as z from 'zod/mini'
import { endpoint } from '../../endpoint.ts'

const figureMails = z.object({
  is_on: z.boolean().check(z.describe('Whether admins receive the weekly statistics by email.')),
  weekday: z
    .int()
    .check(
      z.minimum(1),
      z.maximum(7),
      z.describe('The weekday on which they are sent, at 8:00 UTC. 1 is Monday.'),
    ),
  for_me: z.boolean().check(z.describe('Whether you receive them.')),
})
export type FigureMails = z.infer<typeof figureMails>

export const getFigureMails = endpoint({
  method: 'GET',
  path: '/api/admin-mail/figures',
  summary: 'Whether and when admins receive the weekly statistics.',
  access: 'admin',
  output: figureMails,
})

export const setFigureMails = endpoint({
  method: 'PUT',
  path: '/api/admin-mail/figures',
  summary: 'Set whether and when admins receive the weekly statistics, and whether you do.',
  access: 'admin',
  audit: { settings: ['update'] },
  body: figureMails,
  output: figureMails,
})

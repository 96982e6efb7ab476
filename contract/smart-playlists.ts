// Smart playlists, which are filled by rules. They are ordinary playlists, and this file contains only what is specific
// to them.
import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { smartRules } from './fields/smart-rules.ts'
import { hour } from './rate-limit.ts'
import { track } from './tracks.ts'

export const smartPreviewLength = 8

export const previewSmartPlaylist = endpoint({
  method: 'POST',
  path: '/api/smart-playlists/preview',
  summary:
    "Preview the member's result for these rules: the number of tracks and the first ones. Changes nothing.",
  access: 'member',
  body: z.object({ rules: smartRules }),
  output: z.object({
    total: z.number(),
    duration: z.number().check(z.describe('Total duration in seconds.')),
    data: z.array(track),
  }),
  rateLimit: { name: 'smart-preview', per: 'account', count: 1200, seconds: hour },
})

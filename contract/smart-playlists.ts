// Smart playlists are filled by rules. They are ordinary playlists; this file has only what they add.
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
    'The current result of these rules for the member: the number and the first tracks. Changes nothing.',
  access: 'member',
  body: z.object({ rules: smartRules }),
  output: z.object({
    total: z.number(),
    duration: z.number().check(z.describe('Total duration in seconds.')),
    data: z.array(track),
  }),
  rateLimit: { name: 'smart-preview', per: 'account', count: 1200, seconds: hour },
})

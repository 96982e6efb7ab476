import { expect, test } from 'vitest'
import type { TrackOrigin } from '#contract/admin/track-origins.ts'
import { getOriginChanges, originForm } from './origin-form.ts'

const origin: TrackOrigin = {
  tool: 'Suno',
  model: 'v5',
  plan_at_creation: null,
  created_at_source: '2025-11-02T10:00:00.000Z',
  source_id: null,
  source_url: null,
  prompt: 'rain',
  style: null,
  negative_style: null,
  seed: null,
  parts: { music: 'generated' },
  rights_note: null,
  version: 3,
}
const base = originForm.formOf(origin)

test('sends only changed fields', () => {
  expect(getOriginChanges(base, base)).toEqual({})
  expect(getOriginChanges({ ...base, prompt: '', seed: ' 7 ' }, base)).toEqual({
    prompt: null,
    seed: '7',
  })
  expect(getOriginChanges({ ...base, created_on: '2025-11-03' }, base)).toEqual({
    created_at_source: '2025-11-03',
  })
})

test('sends all parts of the track together, without those that are not specified', () => {
  expect(getOriginChanges({ ...base, lyrics: 'human' }, base)).toEqual({
    parts: { lyrics: 'human', music: 'generated' },
  })
  expect(getOriginChanges({ ...base, music: '' }, base)).toEqual({ parts: {} })
})

// Form state of the record of how a track was made.
import type { CallInput } from '#contract/endpoint.ts'
import type { TrackOrigin, updateTrackOrigin } from '#contract/admin/track-origins.ts'
import { originParts, type OriginMaking, type OriginPart } from '#contract/fields/origin-parts.ts'
import type { VersionedFormKind } from '../../conflicts/use-versioned-form.ts'

export const originTexts = [
  'tool',
  'model',
  'plan_at_creation',
  'source_id',
  'source_url',
  'prompt',
  'style',
  'negative_style',
  'seed',
  'rights_note',
] as const
export type OriginText = (typeof originTexts)[number]

/** An empty field means that the value is not specified. */
export type OriginForm = Record<OriginText | 'created_on', string> &
  Record<OriginPart, OriginMaking | ''>

export const originLabels: Record<keyof OriginForm, string> = {
  tool: 'Tool',
  model: 'Model',
  plan_at_creation: 'Plan at creation',
  created_on: 'Created on',
  source_id: 'ID in the tool',
  source_url: 'Page in the tool',
  prompt: 'Prompt',
  style: 'Style',
  negative_style: 'Style to avoid',
  seed: 'Seed',
  rights_note: 'Rights note',
  lyrics: 'Lyrics',
  music: 'Music',
  vocals: 'Vocals',
  artwork: 'Artwork',
}

export const originForm: VersionedFormKind<TrackOrigin, OriginForm> = {
  what: 'the origins of this track',
  labels: originLabels,
  formOf(origin) {
    const texts = originTexts.map((name) => [name, origin[name] ?? ''])
    const parts = originParts.map((part) => [part, origin.parts[part] ?? ''])
    return Object.fromEntries([
      ...texts,
      ...parts,
      ['created_on', origin.created_at_source?.slice(0, 10) ?? ''],
    ]) as OriginForm
  },
}

type Changes = Partial<CallInput<typeof updateTrackOrigin>['body']>

/** Returns the request body with changed fields only. The parts of the track are always sent together. */
export function getOriginChanges(form: OriginForm, base: OriginForm): Changes {
  const texts = originTexts
    .filter((name) => form[name] !== base[name])
    .map((name) => [name, form[name].trim() || null])
  const parts = originParts.filter((part) => form[part] !== '').map((part) => [part, form[part]])
  return {
    ...(Object.fromEntries(texts) as Changes),
    ...(form.created_on !== base.created_on && { created_at_source: form.created_on || null }),
    ...(originParts.some((part) => form[part] !== base[part]) && {
      parts: Object.fromEntries(parts) as Changes['parts'] & object,
    }),
  }
}

// State of the form of a track, with validation and request bodies.
import type { AdminTrack, createTrackBody, updateTrackBody } from '#contract/admin/admin-tracks.ts'
import {
  aiDisclosureLabels,
  aiDisclosures,
  type AiDisclosure,
} from '#contract/fields/ai-disclosure.ts'
import type { Audience } from '#contract/fields/availability.ts'
import type * as z from 'zod/mini'
import {
  getChangedCredits,
  createCreditsFromText,
  toCreditForms,
  type CreditForm,
} from './credits-form.ts'
import {
  toAvailabilityBody,
  toAvailabilityForm,
  emptyAvailability,
  findDaysProblem,
  type AvailabilityForm,
} from '../availability/availability-form.ts'
import { categoriesOf } from '../../features/catalogue/track-categories.ts'
import { getChangedFields } from '../conflicts/merge-forms.ts'
import type { VersionedFormKind } from '../conflicts/use-versioned-form.ts'

export interface TrackForm {
  title: string
  artist: string
  /** The credits in order. Undefined in a draft that was stored by an earlier version. */
  artists?: CreditForm[]
  category: string
  /** All categories except the first, in order. These and the moods are undefined in a draft of an earlier version. */
  more_categories?: string[]
  moods?: string[]
  genre: string
  description: string
  lyrics: string
  tags: string[]
  explicit: boolean
  is_published: boolean
  /** Duration in whole seconds, as typed. */
  duration: string
  ai_disclosure: AiDisclosure
  ai_tool: string
  credits: string
  availability: AvailabilityForm
}

export type TrackProblems = Partial<
  Record<'title' | 'artist' | 'duration' | 'early_access_days', string>
>

/** Returns an empty form, with the default artist and AI disclosure of the service. */
export function emptyTrackForm(
  artistName: string,
  ai_disclosure: AiDisclosure = 'ai_generated',
  audience?: Audience,
): TrackForm {
  return {
    title: '',
    artist: artistName,
    artists: createCreditsFromText(artistName),
    category: '',
    more_categories: [],
    moods: [],
    genre: '',
    description: '',
    lyrics: '',
    tags: [],
    explicit: false,
    is_published: false,
    duration: '0',
    ai_disclosure,
    ai_tool: '',
    credits: '',
    availability: emptyAvailability(audience),
  }
}

export function formOfTrack(track: AdminTrack): TrackForm {
  return {
    title: track.title,
    artist: track.artist,
    artists: toCreditForms(track.artists),
    category: track.category ?? '',
    more_categories: categoriesOf(track).slice(1),
    moods: track.moods ?? [],
    genre: track.genre ?? '',
    description: track.description ?? '',
    lyrics: track.lyrics ?? '',
    tags: track.tags,
    explicit: track.explicit,
    is_published: track.is_published || track.publish_when_ready,
    duration: String(track.duration),
    ai_disclosure: track.ai_disclosure,
    ai_tool: track.ai_tool ?? '',
    credits: track.credits ?? '',
    availability: toAvailabilityForm(track),
  }
}

/** Returns the validation errors in the order of the fields, because a toast shows only the first one. */
export function findTrackProblems(form: TrackForm): TrackProblems {
  const problems: TrackProblems = {}
  if (!form.title.trim()) problems.title = 'Title is required'
  if (!form.artist.trim()) problems.artist = 'Artist is required'
  if (wholeSeconds(form.duration) < 0) problems.duration = 'Duration must be non-negative'
  const daysProblem = findDaysProblem(form.availability)
  if (daysProblem) problems.early_access_days = daysProblem
  return problems
}

/** Parses whole seconds. Returns 0 if the text is not a number. */
export function wholeSeconds(typed: string): number {
  return Number.parseInt(typed, 10) || 0
}

type Files = { audio_path: string | undefined; cover_path: string | null | undefined }

export function createBody(
  form: TrackForm,
  files: Files & { audio_path: string },
): z.input<typeof createTrackBody> {
  return {
    action: 'create',
    ...fields(form),
    ...getChangedCredits(form, { ...form, artists: [] }),
    ...toAvailabilityBody(getAvailability(form)),
    duration: wholeSeconds(form.duration),
    ...files,
  }
}

/** Returns the request body with changed fields only, so that fields changed by others are not overwritten. */
export function updateBody(
  form: TrackForm,
  base: TrackForm,
  files: Files,
): z.input<typeof updateTrackBody> {
  const duration = wholeSeconds(form.duration)
  return {
    ...getChangedFields(fields(form), fields(base)),
    ...getChangedCredits(form, base),
    ...toAvailabilityBody(getAvailability(form), getAvailability(base)),
    ...(duration !== wholeSeconds(base.duration) && { duration }),
    ...files,
  }
}

export const disclosureOptions = aiDisclosures.map((value) => ({
  value,
  label: aiDisclosureLabels[value],
}))

export function isAiDisclosure(value: string): value is AiDisclosure {
  return (aiDisclosures as readonly string[]).includes(value)
}

function getAvailability({ availability, is_published }: TrackForm) {
  return { form: availability, isPublished: is_published }
}

function fields({
  duration: _,
  artists: _artists,
  availability: _availability,
  category,
  more_categories,
  moods,
  genre,
  ...form
}: TrackForm) {
  const names = { category: category || null, genre: genre || null }
  return {
    ...form,
    ...names,
    ...(more_categories && {
      categories: category
        ? [category, ...more_categories.filter((name) => name !== category)]
        : [],
    }),
    ...(moods && { moods }),
  }
}

export const trackForm: VersionedFormKind<AdminTrack, TrackForm> = {
  what: 'this track',
  formOf: formOfTrack,
  labels: {
    title: 'Title',
    artist: 'Artist',
    artists: 'Artist credits',
    category: 'Category',
    more_categories: 'More categories',
    moods: 'Moods',
    genre: 'Genre',
    description: 'Description',
    lyrics: 'Lyrics',
    tags: 'Tags',
    explicit: 'Explicit',
    is_published: 'Published',
    duration: 'Duration (seconds)',
    ai_disclosure: 'Disclosure',
    ai_tool: 'Tool',
    credits: 'Credits',
    availability: 'Availability',
  },
}

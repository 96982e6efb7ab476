// Queries for similar tracks, stations, mixes and paths between tracks.
import {
  findTrackPath,
  getMix,
  listMixes,
  listSimilarToRelease,
  listSimilarTracks,
  startRadio,
} from '#contract/radio.ts'
import type { RadioSeed } from '#contract/play-context.ts'
import type { Track } from '#contract/tracks.ts'
import { call } from '../../../base/api/api.ts'

const shownSimilar = 6

/** The key starts with 'tracks', so that a change of the catalogue refetches the similar tracks. */
export const similarTracksOptions = (id: string) => ({
  queryKey: ['tracks', 'similar', id] as const,
  queryFn: async ({ signal }: { signal: AbortSignal }) => {
    const input = { params: { id }, query: { limit: shownSimilar } }
    return (await call(listSimilarTracks, input, { signal })).data
  },
})

export const similarToReleaseOptions = (id: string) => ({
  queryKey: ['tracks', 'similar-to-release', id] as const,
  queryFn: async ({ signal }: { signal: AbortSignal }) => {
    const input = { params: { id }, query: { limit: shownSimilar } }
    return (await call(listSimilarToRelease, input, { signal })).data
  },
})

/** Mixes change once a day. */
export const mixesQuery = {
  queryKey: ['tracks', 'mixes'] as const,
  queryFn: async ({ signal }: { signal: AbortSignal }) =>
    (await call(listMixes, {}, { signal })).data,
}

export const fetchMix = (position: number, signal: AbortSignal) =>
  call(getMix, { params: { position } }, { signal })

export const fetchStation = (seed: RadioSeed, exclude: string[], signal: AbortSignal) =>
  call(startRadio, { body: { seed, exclude } }, { signal })

export const fetchTrackPath = async (
  from: string,
  to: string,
  signal: AbortSignal,
): Promise<readonly Track[]> =>
  (await call(findTrackPath, { params: { id: from }, query: { to } }, { signal })).data

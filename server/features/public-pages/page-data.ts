// JSON-LD of a page, in the vocabulary of schema.org.
import { aiDisclosureLabels } from '#contract/fields/ai-disclosure.ts'
import { pagePath } from '#contract/public-pages.ts'
import type { PageFacts, PageName } from './page-facts.ts'
import { previewPath, type PageTrack } from './page-tracks.ts'
import { describe, isoDuration } from './page-words.ts'

export interface DataOptions {
  publicUrl: string
  brandName: string
  /** Absolute URL of the card picture. */
  image: string | null
}

const types = {
  track: 'MusicRecording',
  release: 'MusicAlbum',
  artist: 'MusicGroup',
  playlist: 'MusicPlaylist',
  category: 'CollectionPage',
} as const

export function pageData(facts: PageFacts, options: DataOptions): object {
  const { publicUrl, brandName, image } = options
  const list = facts.tracks.map((track) => recording(track, publicUrl))
  const [first] = facts.tracks
  return {
    '@context': 'https://schema.org',
    '@type': types[facts.kind],
    '@id': publicUrl + facts.path,
    url: publicUrl + facts.path,
    name: facts.title,
    description: describe(facts),
    ...(image && { image }),
    ...(facts.artists.length > 0 && {
      byArtist: facts.artists.map((one) => group(one, publicUrl)),
    }),
    ...(facts.date && { datePublished: facts.date }),
    ...(facts.kind === 'track' && first && recordingFacts(facts, first, publicUrl)),
    ...(facts.kind === 'release' && {
      numTracks: list.length,
      albumReleaseType: releaseTypes[facts.label] ?? 'AlbumRelease',
      track: list,
    }),
    ...(facts.kind === 'playlist' && { numTracks: list.length, track: list }),
    ...(facts.kind === 'artist' && {
      track: list,
      sameAs: facts.links.map(({ url }) => url),
      album: facts.releases.map(({ title, slug }) => ({
        '@type': 'MusicAlbum',
        name: title,
        url: publicUrl + pagePath('release', slug),
      })),
    }),
    ...(facts.kind === 'category' && {
      mainEntity: {
        '@type': 'ItemList',
        numberOfItems: list.length,
        itemListElement: list.map((item, at) => ({ '@type': 'ListItem', position: at + 1, item })),
      },
    }),
    provider: { '@type': 'Organization', name: brandName, url: publicUrl },
  }
}

const releaseTypes: Record<string, string> = {
  Single: 'SingleRelease',
  EP: 'EPRelease',
  Album: 'AlbumRelease',
}

function group({ name, slug }: PageName, publicUrl: string) {
  return { '@type': 'MusicGroup', name, ...(slug && { url: publicUrl + pagePath('artist', slug) }) }
}

function recording(track: PageTrack, publicUrl: string) {
  return {
    '@type': 'MusicRecording',
    name: track.title,
    url: publicUrl + pagePath('track', track.slug),
    duration: isoDuration(track.duration),
    byArtist: { '@type': 'MusicGroup', name: track.artist },
  }
}

/** The whole track requires an account; the preview does not. */
function recordingFacts({ track, ai_disclosure }: PageFacts, first: PageTrack, publicUrl: string) {
  return {
    duration: isoDuration(first.duration),
    isFamilyFriendly: !first.explicit,
    ...(track?.genre && { genre: track.genre }),
    ...(track?.release && {
      inAlbum: {
        '@type': 'MusicAlbum',
        name: track.release.title,
        url: publicUrl + pagePath('release', track.release.slug),
      },
    }),
    creditText: [aiDisclosureLabels[ai_disclosure], track?.ai_tool, track?.credits_text]
      .filter(Boolean)
      .join('. '),
    isAccessibleForFree: false,
    ...(first.preview_seconds !== null && {
      hasPart: {
        '@type': 'AudioObject',
        name: `Preview of ${first.title}`,
        contentUrl: publicUrl + previewPath(first),
        encodingFormat: 'audio/mp4',
        duration: isoDuration(first.preview_seconds),
        isAccessibleForFree: true,
      },
    }),
  }
}

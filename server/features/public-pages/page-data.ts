// The structured data (JSON-LD) of a page, in the schema.org vocabulary.
import { aiDisclosureLabels } from '#contract/fields/ai-disclosure.ts'
import { pagePath, type PageKind } from '#contract/public-pages.ts'
import type { PageFacts, PageName } from './page-facts.ts'
import { previewPath, type PageTrack } from './page-tracks.ts'
import { describePage, isoDuration } from './page-texts.ts'

export interface DataOptions {
  publicUrl: string
  brandName: string
  /** Absolute URL of the share card's picture. */
  image: string | null
}

export function pageData(facts: PageFacts, options: DataOptions): object {
  return builders[facts.kind](facts, options)
}

const builders: Record<PageKind, (facts: PageFacts, options: DataOptions) => object> = {
  track: (facts, options) => ({
    ...common(facts, options),
    ...work(facts, options),
    '@type': 'MusicRecording',
    byArtist: facts.artists.map((one) => group(one, options)),
    ...(facts.tracks[0] && recordingFacts(facts, facts.tracks[0], options)),
  }),
  release: (facts, options) => ({
    ...common(facts, options),
    ...work(facts, options),
    '@type': 'MusicAlbum',
    byArtist: facts.artists.map((one) => group(one, options)),
    numTracks: facts.tracks.length,
    albumReleaseType: releaseTypes[facts.label] ?? 'AlbumRelease',
    track: recordings(facts, options),
  }),
  playlist: (facts, options) => ({
    ...common(facts, options),
    ...work(facts, options),
    '@type': 'MusicPlaylist',
    numTracks: facts.tracks.length,
    track: recordings(facts, options),
  }),
  artist: (facts, options) => ({
    ...common(facts, options),
    '@type': 'MusicGroup',
    track: recordings(facts, options),
    sameAs: facts.links.map(({ url }) => url),
    album: facts.releases.map(({ title, slug }) => album(title, slug, options)),
  }),
  category: (facts, options) => ({
    ...common(facts, options),
    ...work(facts, options),
    '@type': 'CollectionPage',
    mainEntity: {
      '@type': 'ItemList',
      numberOfItems: facts.tracks.length,
      itemListElement: recordings(facts, options).map((item, at) => ({
        '@type': 'ListItem',
        position: at + 1,
        item,
      })),
    },
  }),
}

const releaseTypes: Record<string, string> = {
  Single: 'SingleRelease',
  EP: 'EPRelease',
  Album: 'AlbumRelease',
}

function common(facts: PageFacts, { publicUrl, image }: DataOptions) {
  return {
    '@context': 'https://schema.org',
    '@id': publicUrl + facts.path,
    url: publicUrl + facts.path,
    name: facts.title,
    description: describePage(facts),
    ...(image && { image }),
  }
}

/** The properties that all kinds of pages except artists share. */
function work(facts: PageFacts, { publicUrl, brandName }: DataOptions) {
  return {
    ...(facts.date && { datePublished: facts.date }),
    provider: { '@type': 'Organization', name: brandName, url: publicUrl },
  }
}

function group({ name, slug }: PageName, { publicUrl }: DataOptions) {
  const url = slug && { url: publicUrl + pagePath('artist', slug) }
  return { '@type': 'MusicGroup', name, ...url }
}

function album(name: string, slug: string, { publicUrl }: DataOptions) {
  return { '@type': 'MusicAlbum', name, url: publicUrl + pagePath('release', slug) }
}

function recordings({ tracks }: PageFacts, { publicUrl }: DataOptions) {
  return tracks.map((track) => ({
    '@type': 'MusicRecording',
    name: track.title,
    url: publicUrl + pagePath('track', track.slug),
    duration: isoDuration(track.duration),
    byArtist: { '@type': 'MusicGroup', name: track.artist },
  }))
}

/** Properties of a track. The full track requires an account; the preview does not. */
function recordingFacts(
  { track, ai_disclosure }: PageFacts,
  first: PageTrack,
  options: DataOptions,
) {
  return {
    duration: isoDuration(first.duration),
    isFamilyFriendly: !first.explicit,
    ...(track?.genre && { genre: track.genre }),
    ...(track?.release && { inAlbum: album(track.release.title, track.release.slug, options) }),
    creditText: [aiDisclosureLabels[ai_disclosure], track?.ai_tool, track?.credits_text]
      .filter(Boolean)
      .join('. '),
    isAccessibleForFree: false,
    ...(first.preview_seconds !== null && {
      hasPart: {
        '@type': 'AudioObject',
        name: `Preview of ${first.title}`,
        contentUrl: options.publicUrl + previewPath(first),
        encodingFormat: 'audio/mp4',
        duration: isoDuration(first.preview_seconds),
        isAccessibleForFree: true,
      },
    }),
  }
}

// The head element of a page, for search engines and link previews, which read only the initial HTML.
import type { Branding } from '../settings/branding.ts'
import { html, type Html } from './html.ts'
import type { PageFacts } from './page-facts.ts'
import { previewPath } from './page-tracks.ts'
import { describePage, titleWithArtist } from './page-texts.ts'

/** Absolute URLs of share cards. Null until the files are generated. */
export interface CardAddresses {
  wide: string | null
  square: string | null
  video: string | null
  /** The cover, which is used until the share cards are generated. */
  cover: string | null
}

interface HeadOptions {
  branding: Pick<Branding, 'brand_name'>
  publicUrl: string
  cards: CardAddresses
  press: string | null
}

const ogTypes = {
  track: 'music.song',
  release: 'music.album',
  artist: 'profile',
  playlist: 'music.playlist',
  category: 'website',
} as const

export function headTags(facts: PageFacts, options: HeadOptions): Html {
  const { press, publicUrl } = options
  const description = html`<meta name="description" content="${describePage(facts)}" />`
  // A page opened with a press link must not appear in search engines, link previews or caches.
  if (press !== null) return html`${description}<meta name="robots" content="noindex, nofollow" />`
  const url = publicUrl + facts.path
  const embed = `${publicUrl}/oembed?url=${encodeURIComponent(url)}`
  const title = titleWithArtist(facts)
  return html`${description}
    <link rel="canonical" href="${url}" />
    <link rel="alternate" type="application/json+oembed" href="${embed}" title="${title}" />
    <link rel="alternate" type="text/xml+oembed" href="${embed}&format=xml" title="${title}" />
    <link
      rel="alternate"
      type="application/rss+xml"
      href="${publicUrl}/feed.xml"
      title="${options.branding.brand_name}"
    />
    ${properties(facts, options).map(([name, content]) => html`<meta property="${name}" content="${content}" />`)}
    ${twitterTags(facts, options).map(([name, content]) => html`<meta name="${name}" content="${content}" />`)}`
}

type Tags = (readonly [string, string | number])[]

function properties(facts: PageFacts, { branding, publicUrl, cards }: HeadOptions): Tags {
  const [first] = facts.tracks
  return [
    ['og:type', ogTypes[facts.kind]],
    ['og:site_name', branding.brand_name],
    ['og:title', titleWithArtist(facts)],
    ['og:description', describePage(facts)],
    ['og:url', publicUrl + facts.path],
    ...pictureTags(facts, cards),
    ...(cards.video
      ? ([
          ['og:video', cards.video],
          ['og:video:secure_url', cards.video],
          ['og:video:type', 'video/mp4'],
          ['og:video:width', 720],
          ['og:video:height', 720],
        ] as const)
      : []),
    ...(facts.kind === 'track' && first?.preview_seconds
      ? ([
          ['og:audio', publicUrl + previewPath(first)],
          ['og:audio:type', 'audio/mp4'],
          ['music:duration', first.duration],
        ] as const)
      : []),
    ...facts.artists
      .filter(({ slug }) => slug !== null)
      .map(({ slug }) => ['music:musician', `${publicUrl}/a/${slug}`] as const),
    ...(facts.track?.release
      ? ([['music:album', `${publicUrl}/r/${facts.track.release.slug}`]] as const)
      : []),
    ...(facts.kind === 'release' || facts.kind === 'playlist'
      ? facts.tracks.map(({ slug }) => ['music:song', `${publicUrl}/t/${slug}`] as const)
      : []),
    ...(facts.kind === 'release' && facts.date
      ? ([['music:release_date', facts.date]] as const)
      : []),
  ]
}

function pictureTags(facts: PageFacts, { wide, square, cover }: CardAddresses): Tags {
  const alt = `Cover of ${titleWithArtist(facts)}`
  const tags = (url: string, width: number, height: number): Tags => [
    ['og:image', url],
    ['og:image:type', 'image/jpeg'],
    ['og:image:width', width],
    ['og:image:height', height],
    ['og:image:alt', alt],
  ]
  if (cover) {
    return [
      ['og:image', cover],
      ['og:image:type', 'image/jpeg'],
      ['og:image:alt', alt],
    ]
  }
  return [...(wide ? tags(wide, 1200, 630) : []), ...(square ? tags(square, 720, 720) : [])]
}

function twitterTags(facts: PageFacts, { publicUrl, cards }: HeadOptions): Tags {
  const player = facts.kind === 'track' || facts.kind === 'release' || facts.kind === 'playlist'
  return [
    ['twitter:card', 'summary_large_image'],
    ['twitter:title', titleWithArtist(facts)],
    ['twitter:description', describePage(facts)],
    ...(cards.wide
      ? ([
          ['twitter:image', cards.wide],
          ['twitter:image:alt', `Cover of ${titleWithArtist(facts)}`],
        ] as const)
      : []),
    ...(player
      ? ([
          ['twitter:player', `${publicUrl}/embed${facts.path}`],
          ['twitter:player:width', 480],
          ['twitter:player:height', facts.kind === 'track' ? 180 : 420],
        ] as const)
      : []),
  ]
}

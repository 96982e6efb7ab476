// Renders feeds as XML: RSS 2.0, Atom (RFC 4287), and RSS with tags for podcasts.
import { aiDisclosureLabels } from '#contract/fields/ai-disclosure.ts'
import { pagePath } from '#contract/public-pages.ts'
import { xml, type Html } from '../public-pages/html.ts'
import { previewPath } from '../public-pages/page-tracks.ts'
import type { Episode, FeedItem } from './feed-items.ts'

export interface FeedFrame {
  publicUrl: string
  brandName: string
  artistName: string
  /** Absolute URL of the service's icon. */
  picture: string
  tagline: string
}

const declaration = '<?xml version="1.0" encoding="UTF-8"?>\n'

export function renderRss(items: readonly FeedItem[], frame: FeedFrame): string {
  const { publicUrl, brandName, tagline } = frame
  return document(xml`<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom"><channel>
<title>${brandName}</title>
<link>${publicUrl}/</link>
<description>${tagline}</description>
<language>en</language>
<atom:link href="${publicUrl}/feed.xml" rel="self" type="application/rss+xml"/>
${items.map(
  (item) => xml`<item>
<title>${formatTitle(item)}</title>
<link>${publicUrl}${pagePath(item.kind, item.slug)}</link>
<guid isPermaLink="false">${item.id}</guid>
<pubDate>${new Date(item.published_at).toUTCString()}</pubDate>
<category>${item.label}</category>
<description>${formatDescription(item)}</description>
</item>
`,
)}</channel></rss>`)
}

export function renderAtom(items: readonly FeedItem[], frame: FeedFrame): string {
  const { publicUrl, brandName, tagline } = frame
  const updated = items[0]?.published_at ?? '2025-01-01T00:00:00.000Z'
  return document(xml`<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="en">
<id>${publicUrl}/feed.atom</id>
<title>${brandName}</title>
<subtitle>${tagline}</subtitle>
<updated>${updated}</updated>
<author><name>${frame.artistName}</name></author>
<link rel="self" type="application/atom+xml" href="${publicUrl}/feed.atom"/>
<link rel="alternate" type="text/html" href="${publicUrl}/"/>
${items.map(
  (item) => xml`<entry>
<id>urn:uuid:${item.id}</id>
<title>${formatTitle(item)}</title>
<link rel="alternate" type="text/html" href="${publicUrl}${pagePath(item.kind, item.slug)}"/>
<published>${item.published_at}</published>
<updated>${item.published_at}</updated>
<author><name>${item.artist || frame.artistName}</name></author>
<category term="${item.label}"/>
<summary>${formatDescription(item)}</summary>
</entry>
`,
)}</feed>`)
}

interface PodcastOptions extends FeedFrame {
  title: string
  description: string
  /** Absolute URL of the feed itself. */
  self: string
  /** True for the feed of a single member, which podcast directories must not list. */
  isPrivate: boolean
  enclosure: (episode: Episode) => { url: string; bytes: number; seconds: number }
}

export function renderPodcast(episodes: readonly Episode[], options: PodcastOptions): string {
  const { publicUrl, artistName, picture, title, description, self, isPrivate, enclosure } = options
  return document(xml`<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom" xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd" xmlns:podcast="https://podcastindex.org/namespace/1.0"><channel>
<title>${title}</title>
<link>${publicUrl}/</link>
<description>${description}</description>
<language>en</language>
<atom:link href="${self}" rel="self" type="application/rss+xml"/>
<image><url>${picture}</url><title>${title}</title><link>${publicUrl}/</link></image>
<itunes:author>${artistName}</itunes:author>
<itunes:summary>${description}</itunes:summary>
<itunes:type>episodic</itunes:type>
<itunes:category text="Music"/>
<itunes:explicit>${episodes.some(({ explicit }) => explicit) ? 'true' : 'false'}</itunes:explicit>
<itunes:image href="${picture}"/>
<podcast:medium>music</podcast:medium>
${isPrivate ? xml`<itunes:block>Yes</itunes:block>\n<podcast:block>yes</podcast:block>` : xml`<podcast:locked>no</podcast:locked>`}
${episodes.map((episode) => renderEpisode(episode, enclosure(episode), publicUrl))}</channel></rss>`)
}

function renderEpisode(
  episode: Episode,
  file: { url: string; bytes: number; seconds: number },
  publicUrl: string,
): Html {
  const made =
    episode.ai_disclosure === 'human' ? '' : `${aiDisclosureLabels[episode.ai_disclosure]}. `
  return xml`<item>
<title>${episode.title} by ${episode.artist}</title>
<link>${publicUrl}${pagePath('track', episode.slug)}</link>
<guid isPermaLink="false">${episode.id}</guid>
<pubDate>${new Date(episode.created_at).toUTCString()}</pubDate>
<description>${made}${episode.description}</description>
<enclosure url="${file.url}" length="${file.bytes}" type="audio/x-m4a"/>
<itunes:author>${episode.artist}</itunes:author>
<itunes:duration>${file.seconds}</itunes:duration>
<itunes:explicit>${episode.explicit ? 'true' : 'false'}</itunes:explicit>
</item>
`
}

/** The enclosure is the preview, which is public. */
export function previewEnclosure(publicUrl: string) {
  return (episode: Episode) => ({
    url: publicUrl + previewPath(episode),
    bytes: episode.preview_bytes ?? 0,
    seconds: episode.preview_seconds ?? 0,
  })
}

function document(content: Html): string {
  return `${declaration}${content.text}\n`
}

function formatTitle({ title, artist }: FeedItem): string {
  return artist ? `${title} by ${artist}` : title
}

function formatDescription({ label, artist, description }: FeedItem): string {
  const first = artist ? `${label} by ${artist}.` : `${label}.`
  return description ? `${first} ${description}` : first
}

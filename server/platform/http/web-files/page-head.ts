// The page's metadata for search engines and link previews, readable without scripts: brand, tagline and canonical
// URL. Screens that require sign-in and unknown paths are not indexed.
import { buildAccentStyle } from '#contract/fields/accent.ts'

export interface PageOwner {
  brandName: string
  tagline: string
  /** The owner's color, `#rrggbb`. Null for the default colors. */
  accent: string | null
  icons: { tab: { href: string; type: string }; touch: string }
  /** Without a trailing slash. */
  publicUrl: string
}

/** Fills in the head of the built page. `path` is the canonical path. If it is null, the page is not indexed. */
export function describePage(html: string, owner: PageOwner, path: '/' | '/auth' | null): string {
  const title = path === '/' ? `${owner.brandName} · ${owner.tagline}` : owner.brandName
  const tags = [
    `<meta name="description" content="${escapeHtml(description(owner))}" />`,
    ...(path
      ? [`<link rel="canonical" href="${escapeHtml(owner.publicUrl + path)}" />`]
      : ['<meta name="robots" content="noindex" />']),
    ...linkCard(owner, title),
  ]
  const { tab, touch } = owner.icons
  // The app compares the attribute with the current color. The style applies before any script runs.
  const root = owner.accent
    ? `<html data-accent="${owner.accent}" style="${buildAccentStyle(owner.accent)}" `
    : '<html '
  return html
    .replace('<html ', () => root)
    .replace(
      /<link rel="icon"[^>]*>/,
      () => `<link rel="icon" href="${tab.href}" type="${tab.type}" />`,
    )
    .replace(
      /<link rel="apple-touch-icon"[^>]*>/,
      () => `<link rel="apple-touch-icon" href="${touch}" />`,
    )
    .replace('class="start-mark" src="/icon.svg"', () => `class="start-mark" src="${tab.href}"`)
    .replace(/<title>[^<]*<\/title>/, () => `<title>${escapeHtml(title)}</title>`)
    .replace(/<meta name="description"[^>]*>/, () => tags.join('\n    '))
}

function description({ tagline }: PageOwner): string {
  return `${tagline} Original music for working, unwinding and everything between: listen free, or in full with Premium.`
}

/** Open Graph tags, which every messenger reads. The picture needs an absolute URL. */
function linkCard(owner: PageOwner, title: string): string[] {
  const properties = {
    'og:type': 'website',
    'og:site_name': owner.brandName,
    'og:title': title,
    'og:description': description(owner),
    'og:url': `${owner.publicUrl}/`,
    'og:image': `${owner.publicUrl}/link-card.png`,
    'og:image:width': '1200',
    'og:image:height': '630',
    'og:image:alt': 'A curtain of light in the shape of a sound wave',
  }
  return [
    ...Object.entries(properties).map(
      ([name, content]) => `<meta property="${name}" content="${escapeHtml(content)}" />`,
    ),
    '<meta name="twitter:card" content="summary_large_image" />',
  ]
}

export function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
}

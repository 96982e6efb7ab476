// What search engines and link cards read of the page, before any script runs: whose service it is, what
// it offers, and under which address. Screens behind the sign-in, and addresses that are none, are not
// for indexes.
export interface PageOwner {
  brandName: string
  tagline: string
  /** Without a slash at the end. */
  publicUrl: string
}

/** Fills in the head of the built page. `path`: an address for indexes; null: one that is not. */
export function describePage(html: string, owner: PageOwner, path: '/' | '/auth' | null): string {
  const title = path === '/' ? `${owner.brandName} · ${owner.tagline}` : owner.brandName
  const tags = [
    `<meta name="description" content="${escapeHtml(description(owner))}" />`,
    ...(path
      ? [`<link rel="canonical" href="${escapeHtml(owner.publicUrl + path)}" />`]
      : ['<meta name="robots" content="noindex" />']),
    ...linkCard(owner, title),
  ]
  return html
    .replace(/<title>[^<]*<\/title>/, () => `<title>${escapeHtml(title)}</title>`)
    .replace(/<meta name="description"[^>]*>/, () => tags.join('\n    '))
}

function description({ tagline }: PageOwner): string {
  return `${tagline} Original music for working, unwinding and everything between: listen free, or in full with Premium.`
}

/** The Open Graph protocol, which every messenger reads; the picture needs a whole address. */
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

function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
}

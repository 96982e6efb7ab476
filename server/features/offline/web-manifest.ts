// The Web Application Manifest with the service's name, which makes the web app installable.

import { getIcons } from '../settings/emblem-files.ts'
import type { Branding } from '../settings/branding.ts'

/** Home screens cut off longer names. */
const shortNameMaxLength = 12

export function describeWebApp({ brand_name: brandName, tagline, icon_id }: Branding) {
  const { small, large, maskable } = getIcons(icon_id)
  return {
    id: '/',
    name: brandName,
    short_name: brandName.length <= shortNameMaxLength ? brandName : brandName.split(' ')[0],
    description: tagline,
    start_url: '/browse',
    scope: '/',
    display: 'standalone',
    // The dark background that is shown behind the icon while the app starts.
    theme_color: '#150a13',
    background_color: '#150a13',
    categories: ['music', 'entertainment'],
    icons: [
      { src: small, sizes: '192x192', type: 'image/png' },
      { src: large, sizes: '512x512', type: 'image/png' },
      { src: maskable, sizes: '512x512', type: 'image/png', purpose: 'maskable' },
    ],
  }
}

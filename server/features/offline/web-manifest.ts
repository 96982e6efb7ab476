// The Web Application Manifest, which makes the app installable, with the owner's name.

import type { Branding } from '../settings/branding.ts'

/** Home screens truncate longer names. */
const shortNameMaxLength = 12

export function describeWebApp({ brand_name: brandName, tagline }: Branding) {
  return {
    id: '/',
    name: brandName,
    short_name: brandName.length <= shortNameMaxLength ? brandName : brandName.split(' ')[0],
    description: tagline,
    start_url: '/browse',
    scope: '/',
    display: 'standalone',
    // The dark background, shown behind the icon while the app starts.
    theme_color: '#150a13',
    background_color: '#150a13',
    categories: ['music', 'entertainment'],
    icons: [
      { src: '/icons/icon-192.png', sizes: '192x192', type: 'image/png' },
      { src: '/icons/icon-512.png', sizes: '512x512', type: 'image/png' },
      { src: '/icons/maskable-512.png', sizes: '512x512', type: 'image/png', purpose: 'maskable' },
    ],
  }
}

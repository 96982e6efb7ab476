// Builds the storage keys and URLs of the service's logo and icon.
import { emblemFiles, type EmblemKind } from '../../platform/pictures/emblem-names.ts'

/** The storage keys, in the order in which the files are encoded. */
export function emblemKeys(kind: EmblemKind, id: string): string[] {
  return emblemFiles[kind].map((file) => emblemKey(id, file))
}

export function emblemKey(id: string, file: string): string {
  return `branding/${id}/${file}`
}

export interface Icons {
  /** The icon for browser tabs. */
  tab: { href: string; type: string }
  touch: string
  small: string
  large: string
  maskable: string
}

const defaultIcons: Icons = {
  tab: { href: '/icon.svg', type: 'image/svg+xml' },
  touch: '/icons/apple-touch-180.png',
  small: '/icons/icon-192.png',
  large: '/icons/icon-512.png',
  maskable: '/icons/maskable-512.png',
}

/** Builds icon URLs without the host. A new icon gets new URLs. */
export function getIcons(id: string | null): Icons {
  if (id === null) return defaultIcons
  const at = (file: string) => `/media/${emblemKey(id, file)}`
  return {
    tab: { href: at('icon-48.png'), type: 'image/png' },
    touch: at('icon-180.png'),
    small: at('icon-192.png'),
    large: at('icon-512.png'),
    maskable: at('maskable-512.png'),
  }
}

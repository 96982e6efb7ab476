// The names of the files of a logo and an icon. In a file of their own, because the encoder loads native code.

export const emblemKinds = ['logo', 'icon'] as const
export type EmblemKind = (typeof emblemKinds)[number]

/** The file names of each kind. */
export const emblemFiles: Record<EmblemKind, readonly string[]> = {
  logo: ['logo.png'],
  icon: ['icon-48.png', 'icon-180.png', 'icon-192.png', 'icon-512.png', 'maskable-512.png'],
}

// The owner's colors as an attribute of the root element.
import { buildAccentStyle } from '#contract/fields/accent.ts'
import type { Branding } from '../settings/branding.ts'
import { html, type Html } from './html.ts'

/** Empty for the default colors. */
export function renderAccentStyle({ accent }: Pick<Branding, 'accent'>): Html {
  return accent === null ? html`` : html`style="${buildAccentStyle(accent)}"`
}

// The accent color that the owner chose, as an attribute of the page's root element.
import { buildAccentStyle } from '#contract/fields/accent.ts'
import type { Branding } from '../settings/branding.ts'
import { html, type Html } from './html.ts'

/** An empty string for the default color. */
export function renderAccentStyle({ accent }: Pick<Branding, 'accent'>): Html {
  return accent === null ? html`` : html`style="${buildAccentStyle(accent)}"`
}

// The text of a spot's link.
import type { Spot } from '#contract/spots.ts'

/** Returns the owner's label, or the host that the link leads to. */
export function spotLinkLabel({
  link_label,
  link_url,
}: Pick<Spot, 'link_label' | 'link_url'>): string {
  if (link_label) return link_label
  const host = link_url && new URL(link_url).hostname.replace(/^www\./, '')
  return host ? `Open ${host}` : 'Learn more'
}

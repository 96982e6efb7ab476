// Marks a track that Premium members can hear first, or that only they can hear.
import { useSyncExternalStore } from 'react'
import type { ShowcaseTrack } from '#contract/showcase-tracks.ts'
import { restrictionNow, getRestrictionText } from '../../base/format/format-restriction.ts'
import { Badge } from '../../base/ui/display/badge.tsx'

export function ShowcaseMark({ track }: { track: ShowcaseTrack }) {
  const isInBrowser = useSyncExternalStore(subscribe, inBrowser, onServer)
  const restriction = restrictionNow(track)
  if (!restriction) return null
  if (restriction.reason === 'premium_only') return <Badge tone="gold">Premium only</Badge>
  // The server does not know the visitor's time zone, so omit the day.
  const words = isInBrowser ? getRestrictionText(restriction) : 'Early access for Premium'
  return <Badge tone="gold">{words.replace(/\.$/, '')}</Badge>
}

const subscribe = () => () => {}
const inBrowser = () => true
const onServer = () => false

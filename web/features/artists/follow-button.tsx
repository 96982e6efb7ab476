import { IconBell, IconBellRinging } from '#web/base/ui/icons/icons.ts'
import type { ArtistDetail } from '#contract/artists.ts'
import { Button } from '../../base/ui/controls/button.tsx'
import { useFollowArtist } from '../catalogue/queries/artist-queries.ts'

export function FollowButton({
  artist: { id, name, is_followed },
}: {
  artist: Pick<ArtistDetail, 'id' | 'name' | 'is_followed'>
}) {
  const follow = useFollowArtist()
  // `is_followed` is absent in responses of the previous release.
  if (is_followed === undefined) return null
  return (
    <Button
      variant="quiet"
      icon={is_followed ? <IconBellRinging /> : <IconBell />}
      aria-label={`${is_followed ? 'Following' : 'Follow'} ${name}`}
      onClick={() => follow.mutate({ id, followed: !is_followed })}
    >
      {is_followed ? 'Following' : 'Follow'}
    </Button>
  )
}

import { IconHeart, IconHeartFilled } from '#web/base/ui/icons/icons.ts'
import type { Track } from '#contract/tracks.ts'
import { IconButton } from '../../base/ui/controls/icon-button.tsx'
import { useLike } from './use-like.ts'

export function LikeButton({ track, inTabOrder }: { track: Track; inTabOrder: boolean }) {
  const like = useLike()
  return (
    <IconButton
      label={`Like ${track.title}`}
      pressed={track.is_liked}
      data-control="like"
      tabIndex={inTabOrder ? 0 : -1}
      onClick={() => like.mutate({ id: track.id, liked: !track.is_liked })}
    >
      {track.is_liked ? <IconHeartFilled /> : <IconHeart />}
    </IconButton>
  )
}

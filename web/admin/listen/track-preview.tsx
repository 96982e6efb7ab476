// Rendered above the form of a track: a button that plays it, and one that previews it as members see it.
import { IconEye } from '#web/base/ui/icons/icons.ts'
import { lazy, Suspense, useState } from 'react'
import type { AdminTrack } from '#contract/admin/admin-tracks.ts'
import { formatDuration } from '../../base/format/format-duration.ts'
import { Badge } from '../../base/ui/display/badge.tsx'
import { Button } from '../../base/ui/controls/button.tsx'
import { PlayCover } from './play-track.tsx'
import styles from './track-preview.module.css'

const MemberView = lazy(async () => ({ default: (await import('./member-view.tsx')).MemberView }))

export function TrackPreview({ track }: { track: AdminTrack }) {
  const [isViewing, setIsViewing] = useState(false)
  const [wasViewed, setWasViewed] = useState(false)
  return (
    <div className={styles.preview}>
      <span className={styles.cover}>
        <PlayCover track={track} source="Edit Track" sizes="44px" />
      </span>
      <span className={styles.words}>
        <span className={styles.title}>{track.title}</span>
        <span className={styles.note}>
          {formatDuration(track.duration)}{' '}
          <Badge tone={track.is_published ? 'success' : 'neutral'}>
            {track.is_published ? 'Published' : 'Draft'}
          </Badge>
        </span>
      </span>
      <Button
        size="small"
        icon={<IconEye />}
        onClick={() => {
          setWasViewed(true)
          setIsViewing(true)
        }}
      >
        View as member
      </Button>
      {wasViewed && (
        <Suspense>
          <MemberView trackId={isViewing ? track.id : null} onClose={() => setIsViewing(false)} />
        </Suspense>
      )}
    </div>
  )
}

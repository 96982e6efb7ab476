// The columns of the track table: one set for /admin/library, and one for /admin/tracks.
import type { ReactNode } from 'react'
import type { AdminTrack } from '#contract/admin/admin-tracks.ts'
import { categoriesOf } from '../../features/catalogue/track-categories.ts'
import { AvailabilityBadge } from '../availability/availability-badge.tsx'
import { Badge } from '../../base/ui/display/badge.tsx'
import { formatDuration } from '../../base/format/format-duration.ts'
import { formatDay } from '../shared/format/format-moment.ts'
import { NameCell } from '../shared/lists/name-cell.tsx'
import { ProcessingState } from './processing-state.tsx'
import styles from './track-columns.module.css'
import type { TrackSort } from './track-filters.ts'

export interface TrackColumn {
  label: string
  sort?: TrackSort
  numeric?: boolean
  /** True to hide the column in narrow windows. The first column then shows its content. */
  wide?: boolean
  /** True if the cell is the heading of the row, which is a `NameCell`. */
  isName?: boolean
  cell: (track: AdminTrack, parts: RowParts) => ReactNode
}

export interface RowParts {
  categoryName: (slug: string) => string
  /** The cover, with a button that plays the track. */
  cover: ReactNode
  publishSwitch: ReactNode
  actions: ReactNode
}

const category: TrackColumn = {
  label: 'Category',
  sort: 'category',
  wide: true,
  cell: (track, { categoryName }) =>
    truncateText(categoriesOf(track).map(categoryName).join(', ') || null),
}
const duration: TrackColumn = {
  label: 'Duration',
  sort: 'duration',
  numeric: true,
  wide: true,
  cell: (track) => formatDuration(track.duration),
}
const actions: TrackColumn = { label: 'Actions', cell: (_, parts) => parts.actions }

export const libraryColumns: readonly TrackColumn[] = [
  {
    label: 'Title',
    sort: 'title',
    isName: true,
    cell: (track, parts) => <TrackName track={track} parts={parts} withArtist={false} />,
  },
  { label: 'Artist', sort: 'artist', wide: true, cell: (track) => truncateText(track.artist) },
  duration,
  category,
  { label: 'Published', cell: (_, parts) => parts.publishSwitch },
  actions,
]

export const tracksColumns: readonly TrackColumn[] = [
  {
    label: 'Track',
    sort: 'title',
    isName: true,
    cell: (track, parts) => <TrackName track={track} parts={parts} withArtist />,
  },
  category,
  { label: 'Genre', wide: true, cell: (track) => truncateText(track.genre) },
  duration,
  {
    label: 'Uploaded',
    sort: 'created_at',
    wide: true,
    cell: (track) => <time dateTime={track.created_at}>{formatDay(track.created_at)}</time>,
  },
  { label: 'Visible', cell: (_, parts) => parts.publishSwitch },
  actions,
]

interface TrackNameProps {
  track: AdminTrack
  parts: RowParts
  withArtist: boolean
}

/** The title, badges and state of a track. In narrow windows also the content of hidden columns. */
function TrackName({ track, parts, withArtist }: TrackNameProps) {
  const narrowNote = [
    track.artist,
    formatDuration(track.duration),
    track.category && parts.categoryName(track.category),
  ].filter(Boolean)
  return (
    <NameCell
      cover={parts.cover}
      title={track.title}
      badges={track.explicit && <Badge>Explicit</Badge>}
      note={withArtist && track.artist}
      narrowNote={narrowNote.join(' · ')}
    >
      <ProcessingState track={track} />
      <AvailabilityBadge item={track} />
    </NameCell>
  )
}

/** Renders text on one line, truncated if it is too long. Renders a dash if it is empty. */
function truncateText(text: string | null): ReactNode {
  if (!text) return <span aria-label="None">–</span>
  return (
    <span className={styles.cut} title={text} dir="auto">
      {text}
    </span>
  )
}

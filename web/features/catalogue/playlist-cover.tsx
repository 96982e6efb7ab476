// A playlist's cover: its own picture, otherwise a mosaic of its first four covers, otherwise a drawing from its
// title.
import type { Playlist } from '#contract/playlists.ts'
import { Cover, type CoverProps } from '../../base/ui/display/cover.tsx'
import styles from './playlist-cover.module.css'

export interface PlaylistCoverProps extends Pick<CoverProps, 'sizes' | 'radius' | 'eager'> {
  playlist: Pick<Playlist, 'title' | 'cover_url' | 'cover_tint' | 'cover_placeholder' | 'mosaic'>
}

export function PlaylistCover({ playlist, ...look }: PlaylistCoverProps) {
  const { title, cover_url, cover_tint, cover_placeholder, mosaic } = playlist
  if (!cover_url && mosaic.length >= 4) return <Mosaic title={title} urls={mosaic} {...look} />
  return (
    <Cover
      {...look}
      title={title}
      url={cover_url ?? mosaic[0] ?? null}
      tint={cover_tint}
      placeholder={cover_placeholder}
    />
  )
}

function Mosaic({
  title,
  urls,
  radius = 'small',
  eager,
}: { title: string; urls: string[] } & Partial<CoverProps>) {
  return (
    <span className={`${styles.mosaic} ${styles[radius]}`}>
      {urls.slice(0, 4).map((url, place) => (
        <Cover
          key={place}
          url={url}
          title={title}
          sizes="128px"
          radius="none"
          {...(eager && { eager })}
        />
      ))}
    </span>
  )
}

// Used if scripts are disabled: the browser's native player for every preview.
import type { ShowcaseTrack } from '#contract/showcase-tracks.ts'
import styles from './plain-previews.module.css'

export function PlainPreviews({ tracks }: { tracks: ShowcaseTrack[] }) {
  return (
    <noscript>
      <p className={styles.notice}>
        Full songs and signing in require JavaScript.
        {tracks.length > 0 && ' These previews play without it.'}
      </p>
      <ul className={styles.previews}>
        {tracks.map(({ id, title, artist, preview_url }) => (
          <li key={id} className={styles.preview}>
            <p className={styles.words}>
              <span className={styles.title}>{title}</span> {artist}
            </p>
            <audio
              className={styles.player}
              controls
              preload="none"
              src={preview_url}
              aria-label={`${title} by ${artist}`}
            >
              <track kind="captions" />
            </audio>
          </li>
        ))}
      </ul>
    </noscript>
  )
}

// A cover: its tint and tiny placeholder are there at once, the picture follows in the smallest size
// that is sharp enough, and where there is none one is drawn from the title.
import { useState } from 'react'
import styles from './cover.module.css'
import { DrawnCover } from './drawn-cover.tsx'
import { TakesTurn } from './takes-turn.tsx'

export interface CoverProps {
  /** Address of one size; its siblings have the other sizes and formats. Null: drawn from the title. */
  url: string | null
  tint?: string | null
  /** A picture of a few hundred bytes as a data URI. */
  placeholder?: string | null
  title: string
  /** How wide it is drawn, as in the `sizes` of a picture: '48px', '(max-width: 30rem) 90vw, 320px'. */
  sizes: string
  /** Rounded as in a list (`small`), on a card, or not at all. */
  radius?: 'none' | 'small' | 'large'
  /** Fetched at once instead of when it comes near the window. */
  eager?: boolean
  /** Named for screen readers. Leave out where the title stands beside it. */
  alt?: string
}

const widths = [128, 384, 1024] as const

export function Cover({
  url,
  tint,
  placeholder,
  title,
  sizes,
  radius = 'small',
  eager = false,
  alt = '',
}: CoverProps) {
  const [failedUrl, setFailedUrl] = useState<string>()
  const avif = url ? sourceSet(url, 'avif') : undefined
  const hasPicture = url !== null && url !== failedUrl
  const namedDrawing = alt !== '' && !hasPicture
  return (
    <span
      className={`${styles.cover} ${styles[radius]}`}
      style={{ backgroundColor: tint ?? undefined }}
      role={namedDrawing ? 'img' : undefined}
      aria-label={namedDrawing ? alt : undefined}
    >
      {hasPicture ? (
        <TakesTurn whileWaiting={null}>
          <picture>
            {avif && <source type="image/avif" srcSet={avif} sizes={sizes} />}
            <img
              src={url}
              srcSet={sourceSet(url, 'webp')}
              sizes={sizes}
              alt={alt}
              width={384}
              height={384}
              loading={eager ? 'eager' : 'lazy'}
              fetchPriority={eager ? 'high' : undefined}
              decoding="async"
              draggable={false}
              style={placeholder ? { backgroundImage: `url("${placeholder}")` } : undefined}
              onError={() => setFailedUrl(url)}
            />
          </picture>
        </TakesTurn>
      ) : (
        <DrawnCover title={title} />
      )}
    </span>
  )
}

/** Every size of one format. An address of another shape, such as a picture just picked, stands alone. */
function sourceSet(url: string, format: 'avif' | 'webp'): string | undefined {
  const found = /^(.*\/)\d+\.(?:webp|avif)$/.exec(url)
  if (!found) return undefined
  return widths.map((width) => `${found[1]}${width}.${format} ${width}w`).join(', ')
}

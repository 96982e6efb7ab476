// A cover image. The tint and tiny placeholder render immediately, and the picture follows in the smallest size that is
// sharp. Without a picture a cover is drawn from the title.
import { useState } from 'react'
import styles from './cover.module.css'
import { DrawnCover } from './drawn-cover.tsx'

export interface CoverProps {
  /** URL of one size; the other sizes and formats are derived from it. If null, the cover is drawn from the title. */
  url: string | null
  tint?: string | null
  /** An image of a few hundred bytes as a data URI. */
  placeholder?: string | null
  title: string
  /** The `sizes` attribute of the image: '48px', '(max-width: 30rem) 90vw, 320px'. */
  sizes: string
  /** Corner radius: as in a list (`small`), as on a card, or none. */
  radius?: 'none' | 'small' | 'large'
  /** Load immediately instead of when it comes near the viewport. */
  eager?: boolean
  /** For screen readers. Omit it if the title is next to the cover. */
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
      ) : (
        <DrawnCover title={title} />
      )}
    </span>
  )
}

/**
 * Returns the `srcset` of one format. Undefined for URLs without sizes, such as that of a picture that was just chosen.
 */
function sourceSet(url: string, format: 'avif' | 'webp'): string | undefined {
  const found = /^(.*\/)\d+\.(?:webp|avif)$/.exec(url)
  if (!found) return undefined
  return widths.map((width) => `${found[1]}${width}.${format} ${width}w`).join(', ')
}

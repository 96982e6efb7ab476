// Text as a QR code (ISO/IEC 18004), dark on light in both color schemes: many cameras read only that.
import { useMemo } from 'react'
import { encode } from 'uqr'
import styles from './qr-code.module.css'

/** A quiet zone of four modules, as the standard requires; on a screen little error correction is enough. */
const look = { border: 4, ecc: 'L' } as const

export function QrCode({ text, label }: { text: string; label: string }) {
  const { size, data } = useMemo(() => encode(text, look), [text])
  return (
    <svg
      className={styles.code}
      viewBox={`0 0 ${size} ${size}`}
      role="img"
      aria-label={label}
      shapeRendering="crispEdges"
    >
      <path d={darkModules(data)} />
    </svg>
  )
}

/** Returns one SVG path for all dark modules. Adjacent modules in a row are merged. */
function darkModules(rows: readonly boolean[][]): string {
  return rows
    .flatMap((row, y) =>
      row.flatMap((isDark, x) => {
        if (!isDark || row[x - 1]) return []
        const end = row.indexOf(false, x)
        const length = (end < 0 ? row.length : end) - x
        return [`M${x} ${y}h${length}v1h-${length}z`]
      }),
    )
    .join('')
}

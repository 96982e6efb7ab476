// Text as a QR code (ISO/IEC 18004), dark on light in both colour schemes: many cameras read no other.
import { useMemo } from 'react'
import { encode } from 'uqr'
import styles from './qr-code.module.css'

/** Four modules of quiet around, as the standard demands; a screen needs little correction. */
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

/** One path for all dark modules, neighbours in a row as one piece. */
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

// The Velour logo: five sound bars that hang like a curtain and end in a V.
import { useId } from 'react'

export interface BrandMarkProps {
  /** Edge length in pixels. */
  size?: number
}

export function BrandMark({ size = 28 }: BrandMarkProps) {
  const gradientId = useId()
  return (
    <svg width={size} height={size} viewBox="0 0 28 28" aria-hidden="true">
      <defs>
        <linearGradient
          id={gradientId}
          x1="2"
          y1="4"
          x2="26"
          y2="24"
          gradientUnits="userSpaceOnUse"
        >
          <stop stopColor="var(--accent)" />
          <stop offset="1" stopColor="var(--accent-end)" />
        </linearGradient>
      </defs>
      <path
        d="M3 5.5v4M8.500 5.5v10M14 5.5v17M19.500 5.5v10M25 5.5v4"
        stroke={`url(#${gradientId})`}
        strokeWidth="3.2"
        strokeLinecap="round"
      />
    </svg>
  )
}

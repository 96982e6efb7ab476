// Says how a track was made. Short in a row, whole for whoever points at it or listens to the screen.
import { IconMicrophone2, IconSparkles } from '@tabler/icons-react'
import { aiDisclosureLabels } from '#contract/ai-disclosure.ts'
import type { Track } from '#contract/tracks.ts'
import styles from './ai-badge.module.css'

export function AiBadge({ track }: { track: Pick<Track, 'ai_disclosure' | 'ai_tool'> }) {
  const { ai_disclosure, ai_tool } = track
  const label = aiDisclosureLabels[ai_disclosure]
  const Icon = ai_disclosure === 'human' ? IconMicrophone2 : IconSparkles
  return (
    <span
      className={styles.badge}
      data-disclosure={ai_disclosure}
      data-tooltip={ai_tool ? `${label} with ${ai_tool}` : label}
    >
      <Icon aria-hidden="true" />
      <span className={styles.label}>{label}</span>
    </span>
  )
}

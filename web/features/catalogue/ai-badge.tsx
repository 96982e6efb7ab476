// Shows how a track was made: an icon with a tooltip and screen reader text in rows, the text itself elsewhere.
import { IconMicrophone2, IconSparkles } from '#web/base/ui/icons/icons.ts'
import { aiDisclosureLabels } from '#contract/fields/ai-disclosure.ts'
import type { Track } from '#contract/tracks.ts'
import { VisuallyHidden } from '../../base/ui/layout/visually-hidden.tsx'
import styles from './ai-badge.module.css'

export interface AiBadgeProps {
  track: Pick<Track, 'ai_disclosure'> & Partial<Pick<Track, 'ai_tool'>>
  variant?: 'mark' | 'words'
}

export function AiBadge({ track, variant = 'mark' }: AiBadgeProps) {
  const { ai_disclosure, ai_tool } = track
  const label = aiDisclosureLabels[ai_disclosure]
  const words = ai_tool ? `${label} with ${ai_tool}` : label
  const Icon = ai_disclosure === 'human' ? IconMicrophone2 : IconSparkles
  return (
    <span
      className={styles[variant]}
      data-disclosure={ai_disclosure}
      data-tooltip={variant === 'mark' ? words : undefined}
    >
      <Icon aria-hidden="true" />
      {variant === 'mark' ? <VisuallyHidden>{words}</VisuallyHidden> : words}
    </span>
  )
}

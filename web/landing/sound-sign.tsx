// Play, pause or a turning ring. All three lie in the page, and the `data-sound` of the button around them picks
// one: so pressing play needs nothing drawn anew.
import { IconPlayerPauseFilled, IconPlayerPlayFilled } from '@tabler/icons-react'
import { Spinner } from '../ui/spinner.tsx'
import styles from './sound-sign.module.css'

export function SoundSign({ className = '' }: { className?: string }) {
  return (
    <span className={`${styles.sign} ${className}`} aria-hidden="true">
      <IconPlayerPlayFilled />
      <IconPlayerPauseFilled />
      <Spinner />
    </span>
  )
}

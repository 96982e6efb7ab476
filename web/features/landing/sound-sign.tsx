// A play, pause or spinner icon. All three are in the DOM, and the `data-sound` of the surrounding button selects one,
// so pressing play needs no rerender.
import { IconPlayerPauseFilled, IconPlayerPlayFilled } from '#web/base/ui/icons/icons.ts'
import { Spinner } from '../../base/ui/controls/spinner.tsx'
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

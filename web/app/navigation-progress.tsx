// A thin line at the top while the code of the next screen loads.
import { useNavigation } from 'react-router'
import styles from './navigation-progress.module.css'

export function NavigationProgress() {
  const { state } = useNavigation()
  return <div className={styles.line} data-active={state !== 'idle' || undefined} />
}

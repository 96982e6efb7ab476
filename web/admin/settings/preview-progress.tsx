// Shows how many previews have been re-created after their length was changed. Renders nothing when all are done.
import { useQuery } from '@tanstack/react-query'
import { getPreviewProgress } from '#contract/admin/admin-settings.ts'
import { call } from '../../base/api/api.ts'
import { ProgressBar } from '../../base/ui/display/progress-bar.tsx'
import styles from './settings-screen.module.css'

/** Key of the progress query. Saving the settings invalidates it. */
export const previewsKey = ['admin', 'settings', 'previews'] as const
const pollMs = 1000

export function PreviewProgress() {
  const { data } = useQuery({
    queryKey: previewsKey,
    queryFn: ({ signal }) => call(getPreviewProgress, {}, { signal }),
    refetchInterval: ({ state }) => (state.data?.stale ? pollMs : false),
  })
  if (!data || data.stale === 0) return null
  const done = data.total - data.stale
  return (
    <div className={styles.previews} role="status">
      <span>
        Re-creating previews: {done.toLocaleString('en')} of {data.total.toLocaleString('en')} done
      </span>
      <ProgressBar label="Re-creating previews" value={done / data.total} />
    </div>
  )
}

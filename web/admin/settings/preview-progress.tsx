// Progress of cutting previews to a new length. Renders nothing once all previews have it.
import { useQuery } from '@tanstack/react-query'
import { getPreviewProgress } from '#contract/admin/admin-settings.ts'
import { call } from '../../base/api/api.ts'
import { ProgressBar } from '../../base/ui/display/progress-bar.tsx'
import styles from './settings-screen.module.css'

/** Refetched when the settings change. */
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
        Cutting previews: {done.toLocaleString('en')} of {data.total.toLocaleString('en')} done
      </span>
      <ProgressBar label="Cutting previews" value={done / data.total} />
    </div>
  )
}

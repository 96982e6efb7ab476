// /admin/library/import: imports music from files or another server, and exports the whole catalogue.
import { IconArrowLeft } from '#web/base/ui/icons/icons.ts'
import { errorText } from '../../base/api/show-error.ts'
import { useMay } from '../../base/session/use-may.ts'
import { ButtonLink } from '../../base/navigation/screen-link.tsx'
import { ErrorState } from '../../base/ui/display/error-state.tsx'
import { Skeleton } from '../../base/ui/display/skeleton.tsx'
import { AdminPage } from '../shared/admin-page.tsx'
import { ArchiveChooser } from './archive-chooser.tsx'
import { ExportCard } from './export-card.tsx'
import { ImportCard } from './import-card.tsx'
import { useImports } from './import-queries.ts'
import { ServerCard } from './server-card.tsx'
import styles from './imports-screen.module.css'

export function ImportsScreen() {
  const isAdmin = useMay('admin')
  return (
    <AdminPage
      title="Import and export"
      note="Import music from files or another server, or export your catalogue."
      back={
        <ButtonLink variant="quiet" size="small" to="/admin/library" icon={<IconArrowLeft />}>
          Library
        </ButtonLink>
      }
    >
      <div className={styles.screen}>
        <div className={styles.doors}>
          <ArchiveChooser />
          <ServerCard />
          {isAdmin && <ExportCard />}
        </div>
        <Imports />
      </div>
    </AdminPage>
  )
}

function Imports() {
  const { data, error, isFetching, refetch } = useImports()
  if (error) {
    return (
      <ErrorState
        title="Failed to load the imports"
        message={errorText(error)}
        busy={isFetching}
        onRetry={() => void refetch()}
      />
    )
  }
  if (!data) return <Skeleton height="8rem" />
  if (data.length === 0) return <p className={styles.note}>No imports yet.</p>
  return (
    <section className={styles.screen} aria-label="Imports">
      {data.map((one, at) => (
        <ImportCard key={one.id} one={one} isNewest={at === 0} />
      ))}
    </section>
  )
}

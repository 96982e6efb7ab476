// Cards about the parts of the service, such as the database and the storage, with advice where something can improve.
import type { Instance, SystemStatus } from '#contract/admin/admin-system.ts'
import { Badge, type BadgeProps } from '../../base/ui/display/badge.tsx'
import { formatBytes } from '../shared/format/format-bytes.ts'
import { BackupCard } from './backup-card.tsx'
import { SystemCard } from './system-card.tsx'
import { formatUptime } from './format-uptime.ts'
import styles from './system-cards.module.css'

export function SystemCards({ status, now }: { status: SystemStatus; now: number }) {
  const { backup, database, ffmpeg, instances, last_backup, mail, storage, stripe } = status
  const here = instances.find((instance) => instance.is_this)
  const isS3 = storage.kind === 's3'
  return (
    <dl className={styles.cards}>
      {here && (
        <SystemCard
          title="Velour"
          value={here.version}
          note={`${here.commit ? `Commit ${here.commit.slice(0, 7)}. ` : ''}Running for ${formatUptime(now - Date.parse(here.started_at))}`}
        />
      )}
      {here && <DiskFact instance={here} />}
      <SystemCard
        title="Storage"
        value={isS3 ? storage.bucket : 'Local disk'}
        badge={
          <Badge tone={storage.is_reachable ? 'success' : 'danger'}>
            {storage.is_reachable ? 'Reachable' : 'Not reachable'}
          </Badge>
        }
        note={
          isS3
            ? 'Audio and images are stored in this S3 bucket.'
            : 'Audio and images are stored in the data folder.'
        }
      />
      <SystemCard
        title="Database"
        value={`PostgreSQL ${database.version.split(' ')[0]}`}
        note={`${formatBytes(database.byte_size)}, ${database.is_embedded ? 'managed by Velour' : 'your own server'}`}
      />
      <BackupCard last={last_backup} backup={backup} now={now} />
      <SystemCard
        title="ffmpeg"
        value={`${ffmpeg.backend === 'native' ? 'Native' : 'Bundled'} ${ffmpeg.version}`}
        badge={ffmpeg.backend === 'wasm' && <Badge tone="warning">Slow</Badge>}
        note={
          ffmpeg.backend === 'native'
            ? 'Tracks are processed at full speed.'
            : 'Install ffmpeg on this machine and restart to process tracks many times faster.'
        }
      />
      <SystemCard
        title="Email"
        value={mail === 'smtp' ? 'SMTP' : 'Outbox'}
        note={
          mail === 'smtp'
            ? 'Email is sent through your mail server.'
            : 'Emails are only written to the outbox folder. Set up a mail server in System Settings.'
        }
      />
      <SystemCard
        title="Stripe"
        value={stripe ? 'On' : 'Off'}
        note={
          stripe
            ? 'Members can pay for Premium.'
            : 'Members cannot pay yet. Connect Stripe in System Settings.'
        }
      />
    </dl>
  )
}

const levels: Record<Instance['level'], { tone: BadgeProps['tone']; label: string }> = {
  ok: { tone: 'success', label: 'Enough space' },
  low: { tone: 'warning', label: 'Almost full' },
  full: { tone: 'danger', label: 'Full' },
}

function DiskFact({
  instance: { folder, free_bytes, total_bytes, level },
}: {
  instance: Instance
}) {
  const { tone, label } = levels[level]
  const usedShare = total_bytes === 0 ? 1 : 1 - free_bytes / total_bytes
  return (
    <SystemCard
      title="Disk"
      value={`${formatBytes(free_bytes)} free`}
      badge={<Badge tone={tone}>{label}</Badge>}
      note={
        <>
          <span className={styles.meter} data-level={level} aria-hidden="true">
            <span style={{ scale: `${usedShare} 1` }} />
          </span>
          {Math.floor(usedShare * 100)} % of {formatBytes(total_bytes)} used
          {folder !== '' && `, in ${folder}`}
        </>
      }
    />
  )
}

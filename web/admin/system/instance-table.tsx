// Lists the server instances of this service. The one that responded to this request comes first.
import type { Instance } from '#contract/admin/admin-system.ts'
import { Badge } from '../../base/ui/display/badge.tsx'
import { formatBytes } from '../shared/format/format-bytes.ts'
import { formatUptime } from './format-uptime.ts'
import styles from './system-screen.module.css'
import { SystemTable } from './system-table.tsx'

const roleLabels: Record<Instance['role'], string> = {
  all: 'Web and worker',
  web: 'Web',
  worker: 'Worker',
}

export function InstanceTable({ instances, now }: { instances: Instance[]; now: number }) {
  return (
    <SystemTable
      title="Instances"
      stacked
      columns={['Machine', 'Role', 'Version', 'State', 'Uptime', 'Free disk']}
    >
      {instances.map((instance) => (
        <tr key={instance.id} className={instance.is_alive ? undefined : styles.gone}>
          <th scope="row">{instance.host}</th>
          <td data-label="Role">{roleLabels[instance.role]}</td>
          <td data-label="Version">
            {instance.version}
            {instance.commit && ` (${instance.commit.slice(0, 7)})`}
          </td>
          <td data-label="State">
            <InstanceState instance={instance} now={now} />
          </td>
          <td data-label="Uptime">
            {instance.is_alive ? formatUptime(now - Date.parse(instance.started_at)) : '–'}
          </td>
          <td data-label="Free disk">{formatBytes(instance.free_bytes)}</td>
        </tr>
      ))}
    </SystemTable>
  )
}

function InstanceState({ instance, now }: { instance: Instance; now: number }) {
  if (instance.is_this) return <Badge tone="accent">This instance</Badge>
  if (instance.is_alive) return <Badge tone="success">Running</Badge>
  return (
    <Badge tone="danger">
      Not seen for {formatUptime(Math.max(60_000, now - Date.parse(instance.seen_at)))}
    </Badge>
  )
}

// Shows how many background jobs of each kind are queued.
import type { SystemStatus } from '#contract/admin/admin-system.ts'
import { jobLabel } from './job-labels.ts'
import { SystemTable } from './system-table.tsx'

const states = [
  ['ready', 'Ready'],
  ['deferred', 'Waiting'],
  ['active', 'Running'],
  ['failed', 'Failed'],
] as const

export function JobTable({ queue }: Pick<SystemStatus, 'queue'>) {
  return (
    <SystemTable
      title="Queue"
      columns={['Work', ...states.map(([, label]) => ({ number: label }))]}
    >
      {queue.map((counts) => (
        <tr key={counts.job}>
          <th scope="row">{jobLabel(counts.job)}</th>
          {states.map(([state, label]) => (
            <td key={state} data-numeric data-label={label}>
              {counts[state].toLocaleString('en')}
            </td>
          ))}
        </tr>
      ))}
    </SystemTable>
  )
}

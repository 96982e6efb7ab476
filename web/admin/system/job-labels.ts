// Names of background jobs, as shown on the System screen.
const labels: Record<string, string> = {
  'process-track': 'Process tracks',
  'cut-preview': 'Create previews',
  'cut-stale-previews': 'Find outdated previews',
  'retag-track': 'Write tags',
  'check-files': 'Check files',
  'repair-pictures': 'Repair images',
  'make-backup': 'Create backups',
  'send-mail': 'Send emails',
  'deliver-webhooks': 'Deliver webhooks',
}

/** Returns the label of a job. For an unknown one, which another version may have added, returns its internal name. */
export function jobLabel(job: string): string {
  return labels[job] ?? job
}

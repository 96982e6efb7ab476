// Display names of background job kinds.
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

/** Returns the kind itself if it is unknown, because another version may have added it. */
export function jobLabel(job: string): string {
  return labels[job] ?? job
}

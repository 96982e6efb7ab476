// Display names of the kinds of background jobs.
const words: Record<string, string> = {
  'process-track': 'Process tracks',
  'cut-preview': 'Cut previews',
  'cut-stale-previews': 'Find old previews',
  'retag-track': 'Write tags',
  'check-files': 'Check files',
  'repair-pictures': 'Repair pictures',
  'make-backup': 'Make backups',
  'send-mail': 'Send mail',
  'deliver-webhooks': 'Deliver webhooks',
}

/** Returns the kind itself if another version added it. */
export function jobWords(job: string): string {
  return words[job] ?? job
}

// What the kinds of background work are called.
const words: Record<string, string> = {
  'process-track': 'Process tracks',
  'cut-preview': 'Cut previews',
  'cut-stale-previews': 'Find old previews',
  'retag-track': 'Write tags',
  'check-files': 'Check files',
  'repair-pictures': 'Repair pictures',
  'make-backup': 'Make backups',
  'send-mail': 'Send mail',
}

/** The name itself for kinds that only another version knows. */
export function jobWords(job: string): string {
  return words[job] ?? job
}

// The message at the terminal when the start is complete.
import { demoAccounts, demoPassword } from '#contract/demo.ts'
import type { Config } from '../config/config.ts'

export function describeStart(
  { brandName, publicUrl, role }: Pick<Config, 'brandName' | 'publicUrl' | 'role'>,
  start: {
    elapsedMs: number
    isDemo: boolean
    /** The folder whose disk is full. Null if no disk is full. */
    fullFolder: string | null
    /** Link for creating the first admin. Null if the service has an admin. */
    setupLink: string | null
  },
): string {
  const { elapsedMs, isDemo, fullFolder, setupLink } = start
  const what = role === 'worker' ? "'s worker is ready, its health" : ' is ready'
  const but = fullFolder === null ? '' : ', but its disk is full'
  const seconds = (elapsedMs / 1000).toFixed(1)
  const lines = ['', `  ${brandName}${what} at ${publicUrl}${but}  (${seconds} s)`]
  if (fullFolder !== null) {
    lines.push(
      `  The disk of ${fullFolder} is full: uploads are refused, and ${isDemo ? 'the demo music waits' : 'new tracks wait'}.`,
      '  Free some space there, or choose another folder with DATA_DIR.',
    )
  }
  if (setupLink !== null && role !== 'worker') {
    lines.push('', `  No owner yet. Open this link to create the first admin: ${setupLink}`)
  }
  if (isDemo) {
    lines.push('', `  Demo accounts, password ${demoPassword}:`)
    for (const account of demoAccounts)
      lines.push(`    ${account.email.padEnd(24)}${account.label}`)
  }
  return `${lines.join('\n')}\n\n`
}

// Starts the program that writes and reads backups, with the server's settings.
import { prepareNode } from './node-runtime.mjs'
import { runInForeground } from './run-process.mjs'
import { nodeArguments } from './server-command.mjs'

export async function runBackupTool(name, args) {
  const { node, env } = await prepareNode()
  const program = ['server/commands/backup-main.ts', name, ...args]
  return runInForeground(node, [...nodeArguments(), ...program], { env })
}

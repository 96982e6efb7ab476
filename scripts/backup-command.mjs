// `npm run backup -- FILE`: writes everything to one file. Works whether or not the server is running.
import { runBackupTool } from './backup-tool.mjs'

export const run = (args) => runBackupTool('backup', args)

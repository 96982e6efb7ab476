// `npm run backup -- FILE`: everything into one file, while the server runs or not.
import { runBackupTool } from './backup-tool.mjs'

export const run = (args) => runBackupTool('backup', args)

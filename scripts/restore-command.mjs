// `npm run restore -- FILE`: restores a backup into an empty data folder or an empty external database.
import { runBackupTool } from './backup-tool.mjs'

export const run = (args) => runBackupTool('restore', args)

// `npm run restore -- FILE`: a backup into an empty data folder or an empty database of one's own.
import { runBackupTool } from './backup-tool.mjs'

export const run = (args) => runBackupTool('restore', args)
